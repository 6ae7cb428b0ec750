"""A link graph that is not what was written, and files of a commit that were put back: told of, no lie."""

import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.errors import EngineError
from engine.generations import FolderGeneration
from engine.index.indexing.check import find_damages
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.search.search import SearchService
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus, page
from tests.running import until

Found = list[tuple[str, int, int]]
pytestmark = pytest.mark.folder
QUERY = "amber OR basil OR cedar OR dune"
LINKED = "link:"


def source() -> Memory:
    pages = corpus(40)
    made = Memory(*pages)
    for number in range(5):
        made.copy(f"http://copy{number}.example/", pages[number].url)
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    Follower(source(), folder).catch_up()
    return folder


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy to be harmed."""
    return shutil.copytree(made, tmp_path / "data")


def current(data: Path) -> FolderGeneration:
    found = generations.current_generation(data)
    assert found
    return found


def answers(search: SearchService) -> tuple[Found, int, bool]:
    """What hits say of inlinks and copies, how many pages link to one, and whether there was an alarm."""
    hits = search.search(QUERY, size=100, fold=False).hits
    linking = search.search(LINKED + corpus(40)[3].url).total
    return [(hit.url, hit.inlinks, hit.copies) for hit in hits], linking, bool(search.list_damage())


def asked(data: Path) -> tuple[Found, int, bool]:
    with closing(SearchService(data)) as search:
        return answers(search)


def harm(path: Path, at: int, dice: random.Random) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        kept = file.read(2)
        file.seek(at)
        file.write(bytes(one ^ dice.randrange(1, 256) for one in kept))


@pytest.mark.slow
def test_two_bytes_anywhere(data: Path) -> None:
    """The answer is what it was, or there is an alarm; who checks finds what changes it."""
    whole, dice, told = asked(data), random.Random(4), 0
    path = current(data).links
    assert whole[0]
    assert whole[1]
    assert not whole[2]
    assert not list(find_damages(current(data)))
    kept = path.read_bytes()
    for at in dice.sample(range(len(kept) - 1), 60):
        harm(path, at, dice)
        found = asked(data)
        assert found[2] or found == whole, at
        told += found[2]
        assert found[2] == bool(list(find_damages(current(data)))), at
        path.write_bytes(kept)
    assert told
    assert asked(data) == whole


def test_names_that_are_no_text(data: Path) -> None:
    """What SQLite or Python says of them is another error than what is said of a damaged page."""
    path = current(data).links
    kept = path.read_bytes()
    for name, other in ((b"stands_for", b"stands_\xba\xbb\xbc"), (b"TABLE names", b"TABLE n\xbames")):
        assert name in kept
        path.write_bytes(kept.replace(name, other))
        assert asked(data)[2], name
        assert [one.path for one in find_damages(current(data))] == [path]


def test_it_is_found_while_it_is_searched(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And that it is whole again."""
    monkeypatch.setattr("engine.index.reader.graph.RESTS", 0)
    monkeypatch.setattr("engine.search.search.CHECK_SECONDS", 0.0)
    path, alarms = current(data).links, list[str]()
    kept = path.read_bytes()
    with closing(SearchService(data, alarm=alarms.append)) as search:
        whole = answers(search)
        path.write_bytes(kept[: len(kept) // 2] + bytes(200) + kept[len(kept) // 2 + 200 :])
        until(lambda: search.list_damage(), "the alarm")
        assert len(alarms) == 1
        assert {one[1:] for one in answers(search)[0]} == {(0, 0)}
        path.write_bytes(kept)
        until(lambda: not search.list_damage(), "that it is whole")
        assert answers(search) == whole


def commit_of(generation: FolderGeneration) -> list[Path]:
    """The newest table of contents, the tag that names it, and the segments."""
    newest = max(generation.path.glob("*.toc"), key=lambda path: int(path.stem.rpartition("_")[2]))
    every = generation.path.glob("_MAIN*")
    return [newest, generation.path / "commit", *(path for path in every if path.suffix != ".toc")]


def graph_of(generation: FolderGeneration) -> list[Path]:
    return [generation.links]


def older(data: Path, which: Callable[[FolderGeneration], list[Path]]) -> Memory:
    """Put files back as they were two commits before."""
    changing = source()
    Follower(changing, data).catch_up()
    kept = [(path, path.read_bytes()) for path in which(current(data))]
    for number in range(2):
        changing.put(page(f"http://more{number}.example/", "amber basil"))
        Follower(changing, data).catch_up()
    for path in current(data).path.glob("*.toc"):
        if which is commit_of:
            path.unlink()
    for path, before in kept:
        path.write_bytes(before)
    return changing


@pytest.mark.parametrize(
    ("which", "named", "why"),
    [
        (commit_of, ".toc", "an older table of contents, whose segments are all there"),
        (graph_of, "links.db", "an older link graph, as after its log was lost"),
    ],
)
def test_an_older_state_is_told_of_and_mended(
    data: Path, tmp_path: Path, which: Callable[[FolderGeneration], list[Path]], named: str, why: str
) -> None:
    changing = older(data, which)
    (found,) = find_damages(current(data))
    assert str(found.path).endswith(named), why
    try:
        told = asked(data)[2]
    except EngineError as error:
        told = named in str(error)
    assert told, why
    Follower(changing, data).catch_up()
    assert not asked(data)[2]
    rebuild_index(changing, tmp_path / "peace")
    assert content(data) == content(tmp_path / "peace")


def test_a_follower_that_runs_notices_it(data: Path, tmp_path: Path) -> None:
    """It would commit upon the older state, and the newest pages would be lost."""
    changing = source()
    follower = Follower(changing, data)
    follower.catch_up()
    kept = [(path, path.read_bytes()) for path in commit_of(current(data))]
    changing.put(page("http://more.example/", "amber basil"))
    follower.catch_up()
    before = current(data)
    for path in before.path.glob("*.toc"):
        path.unlink()
    for path, whole in kept:
        path.write_bytes(whole)
    follower.catch_up()
    assert current(data) != before
    rebuild_index(changing, tmp_path / "peace")
    assert content(data) == content(tmp_path / "peace")
