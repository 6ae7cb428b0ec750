"""Back to the generation before: in one step, once, and without what has left meanwhile."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from engine import generations
from engine.errors import EngineError
from engine.generations.folder import publishing
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.search.search import SearchService
from tests.engine.index.killing import dies
from tests.engine.index.source import Memory, page
from tests.running import scrapy

A, B, C = (f"http://{name}.example/" for name in "abc")


def urls(search: SearchService, typed: str = "amber") -> list[str]:
    search._checked = 0.0  # looks for a new generation at once
    return [hit.url for hit in search.search(typed).hits]


def twice_built(data_dir: Path) -> Memory:
    """Two generations of three pages; the first has not been followed since."""
    source = Memory(*(page(url, "amber") for url in (A, B, C)))
    rebuild_index(source, data_dir)
    rebuild_index(source, data_dir)
    return source


def _before(data_dir: Path) -> generations.Generation:
    """The one before the current one."""
    current: generations.Generation | None = generations.current_generation(data_dir)
    assert current
    assert current.before
    return current.before


def test_searchers_and_the_follower_take_up_the_generation_before(tmp_path: Path) -> None:
    source = twice_built(tmp_path)
    with closing(SearchService(tmp_path)) as search:
        assert urls(search) == [A, B, C]
        source.put(page(B, "basil"))
        follower = Follower(source, tmp_path)
        follower.catch_up()
        before = _before(tmp_path)
        assert roll_back(source, tmp_path) == before
        assert urls(search) == [A, B, C], "as it was"
        assert follower.catch_up() == 1
        assert urls(search) == [A, C], "and up to date"


@pytest.mark.requirement(278, 285)
def test_what_was_removed_stays_removed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds it, not even before the follower has looked."""
    source = twice_built(tmp_path)
    source.remove(A)
    Follower(source, tmp_path).catch_up()
    order: list[str] = []
    go_back = generations.go_back

    def watched(data_dir: Path) -> generations.FolderGeneration:
        with closing(SearchService(tmp_path)) as search:
            order.extend(urls(search))
        return go_back(data_dir)

    monkeypatch.setattr(generations, "go_back", watched)
    roll_back(source, tmp_path)
    assert order == [B, C], "until then the current one is searched"
    with closing(SearchService(tmp_path)) as search:
        assert urls(search) == [B, C]
    Follower(source, tmp_path).catch_up()
    rebuild_index(source, tmp_path)
    with closing(SearchService(tmp_path)) as search:
        assert urls(search) == [B, C]


def test_there_is_one_step_back(tmp_path: Path) -> None:
    source = Memory(page(A, "amber"))
    with pytest.raises(EngineError, match=r"no index before the current one is kept.*scrapy rebuild"):
        roll_back(source, tmp_path)
    first = rebuild_index(source, tmp_path)
    with pytest.raises(EngineError, match="no index before"):
        roll_back(source, tmp_path)
    rebuild_index(source, tmp_path)
    assert roll_back(source, tmp_path) == first
    with pytest.raises(EngineError, match="no index before"):
        roll_back(source, tmp_path)
    assert generations.current_generation(tmp_path) == first


def test_after_a_rollback_the_next_rebuild_keeps_what_was_gone_back_to(tmp_path: Path) -> None:
    source = twice_built(tmp_path)
    first = roll_back(source, tmp_path)
    third = rebuild_index(source, tmp_path)
    assert _before(tmp_path) == first != third
    assert roll_back(source, tmp_path) == first


@pytest.mark.folder
def test_what_a_dead_publish_left_is_not_gone_back_to(tmp_path: Path) -> None:
    """Killed after it was complete, and before it was named; then killed before older ones were deleted."""
    source = twice_built(tmp_path)
    generations.create_draft(tmp_path, "lost").path.rename(tmp_path / "index" / "g000003")
    oldest = tmp_path / "index" / "g000000"
    generations.create_draft(tmp_path, "oldest").path.rename(oldest)
    (tmp_path / "index" / "g000001" / "before").write_text("g000000", "ascii")
    assert roll_back(source, tmp_path).name == "g000001"
    assert not oldest.exists()
    with pytest.raises(EngineError, match="no index before"):
        roll_back(source, tmp_path)


def test_an_index_of_another_crawl_database_is_not_gone_back_to(tmp_path: Path) -> None:
    twice_built(tmp_path)
    current = generations.current_generation(tmp_path)
    with pytest.raises(EngineError, match="another crawl database"):
        roll_back(Memory(page(A, "amber")), tmp_path)
    assert generations.current_generation(tmp_path) == current


@pytest.mark.folder
def test_an_index_that_cannot_be_opened_is_not_gone_back_to(tmp_path: Path) -> None:
    source = twice_built(tmp_path)
    current = generations.current_generation(tmp_path)
    for path in (tmp_path / "index" / "g000001").glob("*.toc"):
        path.unlink()
    with pytest.raises(EngineError, match="cannot be opened"):
        roll_back(source, tmp_path)
    assert generations.current_generation(tmp_path) == current


def test_the_command_goes_back_once_and_says_so(tmp_path: Path) -> None:
    assert "no index before the current one" in scrapy(tmp_path, "rebuild", "--rollback", code=2).stderr
    scrapy(tmp_path, "rebuild")
    scrapy(tmp_path, "rebuild")
    before = _before(tmp_path)
    assert scrapy(tmp_path, "rebuild", "--rollback").stdout == f"{before.name} is current again\n"
    assert "no index before the current one" in scrapy(tmp_path, "rebuild", "--rollback", code=2).stderr
    assert "one of them" in scrapy(tmp_path, "rebuild", "--rollback", "--force", code=2).stderr


@pytest.mark.folder
@pytest.mark.parametrize(
    ("module", "place", "why"),
    [
        (generations, "go_back", "what has left is out of the one before, all else is as it was"),
        (publishing, "_make_current", "older ones are deleted, nothing is named yet"),
    ],
)
def test_after_a_kill_the_same_command_goes_on(
    tmp_path: Path, module: ModuleType, place: str, why: str
) -> None:
    source = twice_built(tmp_path)
    source.remove(A)
    current = generations.current_generation(tmp_path)

    def work(die: Callable[..., None]) -> None:
        setattr(module, place, die)
        roll_back(source, tmp_path)

    dies(work)
    assert generations.current_generation(tmp_path) == current, why
    assert roll_back(source, tmp_path).name == "g000001", why
    with closing(SearchService(tmp_path)) as search:
        assert urls(search) == [B, C], why
