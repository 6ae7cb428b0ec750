"""The index follows the crawl database: batch by batch, with anchor texts, and through any kill."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain, count, repeat
from pathlib import Path
from pkgutil import resolve_name

import pytest

from engine import generations
from engine.errors import EngineError
from engine.index.documents.index_writer import BATCH_BYTES
from engine.index.indexing.batches import next_batch
from engine.index.indexing.follow import COMMIT_SECONDS, LOOK_SECONDS, Follower, follow
from engine.index.indexing.rebuild import rebuild_index
from engine.model.page import Link
from engine.search.search import SearchService
from tests.engine.index.killing import dies
from tests.engine.index.source import WORDS, Memory, corpus, page

A, B, C = (f"http://{name}.example/" for name in "abc")


def urls(data_dir: Path, typed: str) -> list[str]:
    with closing(SearchService(data_dir)) as search:
        return [hit.url for hit in search.search(typed, size=100).hits]


def answers(data_dir: Path) -> dict[str, list[tuple[str, float]]]:
    """Every word's hits and scores."""
    with closing(SearchService(data_dir)) as search:
        found = {word: search.search(word, size=100).hits for word in WORDS}
    return {word: [(hit.url, hit.score) for hit in hits] for word, hits in found.items()}


def test_changes_are_followed(tmp_path: Path) -> None:
    source = Memory(page(A, "amber"), page(B, "basil"))
    follower = Follower(source, tmp_path)
    assert follower.step() == 2
    assert follower.step() == 0
    source.put(page(A, "cedar"))
    source.remove(B)
    source.remove(C)
    assert follower.catch_up() == 3
    assert [urls(tmp_path, word) for word in ("amber", "basil", "cedar")] == [[], [], [A]]


def test_an_index_beside_a_new_crawl_database_begins_anew(tmp_path: Path) -> None:
    Follower(Memory(*corpus(9)), tmp_path).catch_up()
    Follower(Memory(page(A, "amber")), tmp_path).catch_up()
    assert urls(tmp_path, "amber") == [A]


def test_words_of_inlinks_reach_a_document_that_was_indexed_before(tmp_path: Path) -> None:
    source = Memory(page(A, "amber", title="kept"))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    source.put(page(B, links=[Link(A, "fern")]))
    follower.catch_up()
    assert urls(tmp_path, "fern") == [A]
    source.put(page(B, links=[]))
    follower.catch_up()
    assert urls(tmp_path, "fern") == []
    assert urls(tmp_path, "kept amber") == [A]


@pytest.mark.requirement(79, 300, 301)
def test_links_to_an_alias_reach_the_page_that_stands(tmp_path: Path) -> None:
    """The redirect is found out after the link, and after the page."""
    source = Memory(page(A, "amber", title="kept"), page(B, links=[Link(C, "fern")]))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    assert urls(tmp_path, "fern") == []
    source.stand(C, A)
    follower.catch_up()
    assert urls(tmp_path, "fern") == [A]
    with closing(SearchService(tmp_path)) as search:
        assert search.search("fern").hits[0].inlinks == 1
    rebuild_index(source, tmp_path)
    assert urls(tmp_path, "fern") == [A]


@pytest.mark.requirement(59)
def test_copies_are_counted_and_named_with_the_page_that_stands(tmp_path: Path) -> None:
    """Five mirrors are one hit; what is no copy any more, or gone, is none."""
    mirrors = [f"http://mirror{n}.example/" for n in range(5)]
    source = Memory(page(A, "amber"))
    for mirror in mirrors:
        source.copy(mirror, A)
    follower = Follower(source, tmp_path)
    follower.catch_up()

    def found() -> list[tuple[str, int, list[str]]]:
        with closing(SearchService(tmp_path)) as search:
            hits = search.search("amber").hits
        return [(hit.url, hit.copies, list(hit.copy_urls)) for hit in hits]

    assert found() == [(A, 5, mirrors)]
    source.put(page(mirrors[0], "basil"))
    source.remove(mirrors[1])
    follower.catch_up()
    assert found() == [(A, 3, mirrors[2:])]
    rebuild_index(source, tmp_path)
    assert found() == [(A, 3, mirrors[2:])]


def test_a_batch_ends_when_it_holds_much_text() -> None:
    source = Memory(*(page(f"{A}{n}", "x" * (BATCH_BYTES // 2)) for n in range(5)))
    assert len(next_batch(source, 0)) == 2
    assert len(next_batch(source, 4)) == 1


def test_the_loop_sleeps_only_while_little_comes_and_catches_up_at_the_end(tmp_path: Path) -> None:
    source = Memory(*(page(f"{A}{n}", "amber") for n in range(310)))
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        if not slept:
            source.put(page(B, "basil"))
        slept.append(seconds)

    stops = chain([False] * 4, repeat(True))
    follow(Follower(source, tmp_path), lambda: next(stops), sleep)
    assert slept == [COMMIT_SECONDS] * 2 + [LOOK_SECONDS], (
        "110 were waiting after the first batch, none after the second; one came; then nothing"
    )
    assert urls(tmp_path, "basil") == [B]


def test_the_follower_goes_on_in_the_generation_that_a_rebuild_published(tmp_path: Path) -> None:
    source = Memory(page(A, "amber"))
    follower = Follower(source, tmp_path)
    follower.step()
    generation = rebuild_index(source, tmp_path)
    source.put(page(B, "amber"))
    assert follower.step() == 1
    assert generations.current_generation(tmp_path) == generation
    assert generation.caught_up == source.last_change()
    assert urls(tmp_path, "amber") == [A, B]


@pytest.mark.slow
@pytest.mark.requirement(293)
def test_a_rebuild_gives_the_same_answers_as_following(tmp_path: Path) -> None:
    pages = corpus(120)
    source, told = Memory(*pages[:40]), list[tuple[int, int]]()
    follower = Follower(source, tmp_path / "followed")
    for more in (pages[40:80], pages[80:]):
        follower.step()
        for one in more:
            source.put(one)
    source.remove(pages[3].url)
    follower.catch_up()
    rebuild_index(source, tmp_path / "rebuilt", lambda done, total: told.append((done, total)))
    assert answers(tmp_path / "followed") == answers(tmp_path / "rebuilt")
    assert told[-1] == (119, 119)


def test_a_rebuild_takes_in_what_changes_meanwhile(tmp_path: Path) -> None:
    source = Memory(page(A, "amber", links=[Link(B, "said")]), page(B, "basil"))

    def change(done: int, total: int) -> None:
        source.put(page(C, "cedar"))
        source.put(page(A, "fern"))

    rebuild_index(source, tmp_path, change)
    assert [urls(tmp_path, word) for word in ("amber", "said", "cedar", "fern")] == [[], [], [C], [A]]


class Losing(Memory):
    """A source whose second reading has less than its first."""

    def changes(self, after: int, limit: int) -> Sequence:  # type: ignore[type-arg]
        found = super().changes(after, limit)
        self._last.pop(A, None)
        return found


def test_an_index_that_lost_pages_is_not_published(tmp_path: Path) -> None:
    old = rebuild_index(Memory(page(C, "old")), tmp_path)
    with pytest.raises(EngineError, match="1 of 2 pages"):
        rebuild_index(Losing(page(A, "amber"), page(B, "amber")), tmp_path)
    assert generations.current_generation(tmp_path) == old


KILLS = [
    (
        "follow",
        "engine.linkgraph.sqlite.templates.FileTemplates.learn",
        1,
        "links of all that waits are committed, nothing else",
    ),
    ("follow", "engine.index.indexing.writer.Writer.write", 1, "links are committed, documents are not"),
    ("follow", "engine.segment.folder._write", 1, "the segment is written, its TOC is not"),
    ("follow", "engine.segment.folder.write_tag", 2, "the TOC stands, its number is not kept"),
    (
        "follow",
        "engine.linkgraph.sqlite.links.FileLinkGraph.mark_fresh",
        1,
        "documents are committed, anchors not settled",
    ),
    (
        "follow",
        "engine.generations.folder.generation.FolderGeneration.mark",
        2,
        "a batch is committed, its number is not",
    ),
    (
        "follow",
        "engine.generations.folder.publishing._make_current",
        1,
        "the first generation stands unnamed",
    ),
    ("rebuild", "engine.segment.folder._write", 1, "a draft is half written"),
    ("rebuild", "engine.generations.publish", 1, "a draft is complete, but not published"),
    (
        "rebuild",
        "engine.generations.folder.publishing._make_current",
        1,
        "a generation stands, nothing names it",
    ),
]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, float]]]:
    folder = tmp_path_factory.mktemp("expected")
    rebuild_index(Memory(*corpus(45)), folder)
    return answers(folder)


@pytest.mark.slow
@pytest.mark.parametrize(("work", "place", "times", "why"), KILLS)
def test_after_a_kill_it_opens_and_catches_up_to_the_same_answers(
    tmp_path: Path, expected: dict[str, list[tuple[str, float]]], work: str, place: str, times: int, why: str
) -> None:
    source = Memory(*corpus(45))

    def killed(die: Callable[..., None]) -> None:
        called, calls = resolve_name(place), count(1)
        patched = pytest.MonkeyPatch()  # in a process that ends: nothing is to be undone
        patched.setattr("engine.index.indexing.batches.BATCH_DOCUMENTS", 20)
        patched.setattr("engine.index.indexing.follow.AHEAD_CHANGES", 30)
        patched.setattr(place, lambda *of: die() if next(calls) == times else called(*of))
        if work == "rebuild":
            rebuild_index(source, tmp_path)
        else:
            Follower(source, tmp_path).catch_up()

    dies(killed)
    Follower(source, tmp_path).catch_up()
    assert answers(tmp_path) == expected, why
    rebuild_index(source, tmp_path)
    assert answers(tmp_path) == expected, why
    assert not list((tmp_path / "index").glob("draft-*")), why
