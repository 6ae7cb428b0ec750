"""Files of an index that are not what was written: the others answer, with an alarm; never a lie."""

import json
import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from engine import generations
from engine.errors import EngineError
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.index.reader import directory_reader
from engine.model.note import NoteKind
from engine.search.search import SearchService
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus, page
from tests.running import scrapy, until

Answers = list[tuple[str, int, tuple[str, ...], bool]]
"""Of each query how it was read, how many pages and which, and whether it is said that it was read
loosely, as it finds nothing by itself."""
pytestmark = pytest.mark.folder
QUERIES = (
    "amber",
    "basil OR cedar",
    '"amber basil"',
    "title:dune",
    "fern -grove",
    "site:site1.example heath",
)
LOOSE = {NoteKind.PARTIAL_MATCHES, NoteKind.OPERATORS_AS_WORDS}
MARKED = "amber"
ENDS = 300  # bytes of a file that are its head, and its tail with the most of its directory


@pytest.fixture(scope="module")
def source() -> Memory:
    """Some pages, of which one came again and one left: an index of segments with deletions and votes."""
    pages = corpus(30)
    return Memory(*pages)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, source: Memory) -> Path:
    """An index of several segments, deletions and votes."""
    folder = tmp_path_factory.mktemp("made")
    follower = Follower(source, folder)
    follower.catch_up()
    for number in range(2):
        source.put(page(f"http://more{number}.example/", "amber basil heath", title="Dune"))
        source.put(page(corpus(30)[number].url, "amber instead"))
        follower.catch_up()
    return folder


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy to be harmed."""
    return shutil.copytree(made, tmp_path / "data")


def answers(data: Path) -> tuple[Answers, bool]:
    """What is found for each query, and whether there was an alarm beside it. Raises EngineError."""
    alarms: list[str] = []
    with closing(SearchService(data, alarm=alarms.append)) as search:
        found = [search.search(query, size=100, fold=False) for query in QUERIES]
        damaged = search.list_damage()
    told = [any(note.kind is NoteKind.INDEX_DAMAGED for note in one.notes) for one in found]
    assert len(set(told)) == 1
    assert told[0] == bool(damaged) == bool(alarms)
    loose = [bool(LOOSE & {note.kind for note in one.notes}) for one in found]
    hits = [tuple(hit.url for hit in one.hits) for one in found]
    asked = [(one.query, one.total) for one in found]
    return [(*one, *more) for one, more in zip(asked, zip(hits, loose, strict=True), strict=True)], told[0]


def files(data: Path) -> Iterator[Path]:
    """Those of the current generation that have checksums, and the name of it."""
    generation = generations.current_generation(data)
    assert generation
    yield data / "index" / "current"
    for path in sorted(generation.path.iterdir()):
        if path.suffix in (".arrays", ".deleted", ".votes", ".toc") or path.name in ("commit", "form"):
            yield path


def harmless_or_told(data: Path, whole: tuple[Answers, bool]) -> None:
    """The answers are what they were, or there is an alarm."""
    try:
        found, alarm = answers(data)
    except EngineError:
        return
    assert alarm or (found, alarm) == whole


def test_every_file_has_its_turn(data: Path) -> None:
    kinds = {path.suffix or path.name for path in files(data)}
    assert kinds == {".arrays", ".deleted", ".votes", ".toc", "commit", "current", "form"}


def flip(data: Path, path: Path, places: Iterable[int], whole: tuple[Answers, bool]) -> None:
    """Two bytes of a file become others, at each of these places by itself."""
    kept, dice = path.read_bytes(), random.Random(21)
    for at in places:
        others = bytes(one ^ dice.randrange(1, 256) for one in kept[at : at + 2])
        path.write_bytes(kept[:at] + others + kept[at + 2 :])
        harmless_or_told(data, whole)
    path.write_bytes(kept)


@pytest.mark.slow
def test_two_bytes_anywhere(data: Path) -> None:
    """Every two bytes of the smallest files, a number of them elsewhere."""
    whole, dice = answers(data), random.Random(21)
    assert not whole[1]
    for path in files(data):
        every = range(path.stat().st_size - 1)
        flip(data, path, every if len(every) < 60 else dice.sample(every, 6), whole)
    assert answers(data) == whole


@pytest.mark.long
def test_two_bytes_everywhere(data: Path) -> None:
    """Every two bytes of all heads, tails and directories, and 2,000 elsewhere."""
    whole, dice, there = answers(data), random.Random(22), list(files(data))
    for path in there:
        every = range(path.stat().st_size - 1)
        flip(data, path, {*every[:ENDS], *every[-ENDS:]}, whole)
    for path in dice.choices(there, [path.stat().st_size for path in there], k=2_000):
        flip(data, path, [dice.randrange(path.stat().st_size - 1)], whole)
    assert answers(data) == whole


HARM: list[tuple[Callable[[Path, Path], object], str]] = [
    (lambda path, _: path.unlink(), "missing"),
    (lambda path, _: path.write_bytes(b""), "empty, as after a cut of the power"),
    (lambda path, _: path.write_bytes(path.read_bytes()[:-1]), "its last byte is missing"),
    (lambda path, _: path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2]), "half of it"),
    (lambda path, _: path.write_bytes(path.read_bytes() + b"\0"), "a byte more"),
    (lambda path, other: path.write_bytes(other.read_bytes()), "another of its kind in its place"),
    (lambda path, _: path.write_bytes(bytes(len(path.read_bytes()))), "zeros"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("harm", "why"), HARM, ids=[why for _, why in HARM])
def test_whatever_becomes_of_a_file(
    data: Path, made: Path, harm: Callable[[Path, Path], object], why: str
) -> None:
    whole = answers(data)
    for path in list(files(data)):
        others = [one for one in files(made) if one.suffix == path.suffix and one.name != path.name]
        kept = path.read_bytes()
        harm(path, others[0] if others else path)
        harmless_or_told(data, whole)
        path.write_bytes(kept)
    assert answers(data) == whole, why


def test_the_others_answer(data: Path) -> None:
    """What is found is part of what was found before, or it is said that this finds nothing."""
    generation = generations.current_generation(data)
    assert generation
    (whole, _), found = answers(data), set[tuple[str, ...]]()
    for path in generation.path.glob("*.arrays"):
        kept = bytearray(path.read_bytes())
        kept[100] ^= 1
        path.write_bytes(kept)
        some, alarm = answers(data)
        assert alarm
        for (*_, urls, is_loose), (*_, every, _) in zip(some, whole, strict=True):
            assert is_loose or set(urls) <= set(every)
        found.add(some[0][2])
        kept[100] ^= 1
        path.write_bytes(kept)
    assert any(found), "some of them are found"


def test_a_lost_table_of_contents_is_no_older_commit(data: Path) -> None:
    generation = generations.current_generation(data)
    assert generation
    assert len(list(generation.path.glob("*.toc"))) == 2
    max(generation.path.glob("*.toc"), key=lambda path: int(path.stem.rpartition("_")[2])).unlink()
    with pytest.raises(EngineError, match=r"\.toc is damaged.*scrapy rebuild"):
        answers(data)


def test_what_is_changed_while_it_is_searched_is_found_out(data: Path) -> None:
    """Segments are mapped into memory: whoever writes to the file writes into that."""
    alarms: list[str] = []
    with closing(SearchService(data, alarm=alarms.append)) as search:
        search.search(MARKED)
        for path in files(data):
            if path.suffix == ".arrays":
                with path.open("r+b") as file:
                    file.seek(100)
                    file.write(b"??")
        search._checked = 0.0
        found = search.search(MARKED)
        assert (found.total, [note.kind for note in found.notes]) == (0, [NoteKind.INDEX_DAMAGED])
        assert alarms == search.list_damage()
        assert "from byte" in alarms[0]


def test_a_large_segment_is_checked_while_it_answers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory_reader, "CHECKED_AT_ONCE", 0)
    for path in files(data):
        if path.suffix == ".arrays":
            kept = bytearray(path.read_bytes())
            kept[100] ^= 1
            path.write_bytes(kept)
    alarms: list[str] = []
    with closing(SearchService(data, alarm=alarms.append)) as search:
        until(lambda: (search.count_documents(), alarms)[1], "the alarm")
        assert search.list_damage() == alarms


FILES = ("current", "commit", "caught_up", ".toc", ".arrays", ".votes", "links.db")


# Without its caught_up all is followed again from the beginning, in the same index.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "lost"), [row for row in product(FILES, (True, False)) if row != ("caught_up", True)]
)
def test_the_follower_makes_it_afresh(
    data: Path, source: Memory, tmp_path: Path, which: str, lost: bool
) -> None:
    """Without being asked, from the crawl database."""
    generation = generations.current_generation(data)
    assert generation
    every = [data / "index" / "current", *generation.path.iterdir()]
    path = max((path for path in every if which in (path.name, path.suffix)), key=lambda path: path.name)
    kept = bytearray(path.read_bytes())
    kept[len(kept) // 2 if which != "links.db" else 20] ^= 0x55
    if which == "links.db":
        kept[:200] = bytes(200)
    path.unlink() if lost else path.write_bytes(kept)
    Follower(source, data).catch_up()
    assert not answers(data)[1]
    rebuild_index(source, tmp_path / "peace")
    assert content(data) == content(tmp_path / "peace")


def told(data: Path, *words: str, code: int) -> str:
    """The one line on standard error, or what is printed, of a command that ends with this exit code."""
    done = scrapy(data, *words, code=code)
    if code == 2:
        assert done.stderr.count("\n") == 1, done.stderr
        assert "damaged" in done.stderr
    return done.stdout


COMMANDS = [("search", MARKED), ("status",), ("status", "--json"), ("explain", corpus(30)[5].url)]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["current", "commit", ".toc", ".arrays", "links.db"])
def test_commands_say_it_in_one_sentence(data: Path, which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.search.RETRY_SECONDS", 0.0)
    generation = generations.current_generation(data)
    assert generation
    for words in COMMANDS:
        told(data, *words, code=int(words[0] == "explain"))  # no crawl has found it
    assert told(data, "check", code=0) == "nothing is damaged\n"
    every = [data / "index" / "current", *generation.path.iterdir()]
    path = max((path for path in every if which in (path.name, path.suffix)), key=lambda path: path.name)
    kept = bytearray(path.read_bytes())
    kept[100:110] = [kept[100:110], bytes(10)][which == "links.db"]
    kept[len(kept) // (2 if which == ".arrays" else 4)] ^= 1  # none between two arrays
    path.write_bytes(kept)
    if which == "links.db":
        path.write_bytes(b"no database" * 1_000)
    for words in COMMANDS:
        told(data, *words, code=2)
    (found,) = json.loads(told(data, "check", "--json", code=1))["damaged"]
    assert found["file"] == str(path)
    assert (found["at"] > 0) == (which == ".arrays")
    assert str(path) in told(data, "check", code=1)
    told(data, "rebuild", code=0)
    told(data, "search", MARKED, code=0)


@pytest.mark.sqlite
def test_a_damaged_crawl_database_is_found(data: Path) -> None:
    told(data, "status", code=0)
    path = data / "crawl.db"
    kept = bytearray(path.read_bytes())
    kept[5_000:9_000] = bytes(4_000)
    path.write_bytes(kept)
    assert "crawl.db" in told(data, "check", code=1)
