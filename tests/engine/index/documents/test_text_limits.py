"""How much of a page is indexed: all that people write, a bounded part of what was made to take memory."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.index.documents.index_writer import BATCH_BYTES
from engine.index.documents.text_limits import FREE, MAX_DIFFERENT, MAX_POSITIONS, PIECE, limit_texts
from engine.index.indexing.batches import next_batch
from engine.index.indexing.follow import Follower
from engine.model.page import Link
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.hostile_pages import HOSTILE_PAGES

LONG = 2_000_000
HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))


def words(count: int, different: int) -> str:
    return " ".join(f"w{number % different:x}" for number in range(count))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: "", "nothing"),
        (lambda: words(FREE // 8, FREE), "a short page may be made of anything"),
        (lambda: words(350_000, 30_000), "a novel of two million letters repeats its words"),
        (lambda: HAN * 150, "450,000 letters of Chinese, of which 3,000 differ"),
        (lambda: words(60_000, 60_000), "an index of sixty thousand names"),
    ],
)
def test_what_people_write_is_indexed_as_it_is(make: Callable[[], str], why: str) -> None:
    text = make()
    assert limit_texts([text]) == [text], why


@pytest.mark.parametrize(
    ("make", "most", "why"),
    [
        (lambda: "a " * (LONG // 2), 2 * MAX_POSITIONS, "positions"),
        (lambda: HAN * 600, MAX_POSITIONS, "letters without spaces have a position each"),
        (lambda: words(300_000, 300_000), 2 * MAX_DIFFERENT, "each word differs"),
        (
            lambda: "".join(chr(0x4E00 + n * n * 7 % 20_000) for n in range(LONG)),
            MAX_POSITIONS,
            "pairs of letters",
        ),
    ],
)
def test_what_nobody_writes_is_cut(make: Callable[[], str], most: int, why: str) -> None:
    text = make()
    (kept,) = limit_texts([text])
    assert text.startswith(kept), why
    assert len(kept) <= most + 2 * PIECE, why
    assert len(kept) > FREE, why


def test_the_first_texts_go_first_and_no_word_is_cut_in_two() -> None:
    title, body, rest = "a title", words(300_000, 300_000), "the rest"
    kept = limit_texts([title, body, rest])
    assert kept[0] == title
    assert body[len(kept[1])] == " "
    assert kept[2] == ""


@pytest.mark.slow
def test_large_pages_whose_inlinks_say_something_else_are_indexed_a_few_at_a_time(tmp_path: Path) -> None:
    """They come out of the index itself, so that no batch of the crawl database bounds them."""
    targets = [f"http://t.example/{number}" for number in range(4)]
    large = "amber " * (BATCH_BYTES // 12)
    source = Memory(*(page(url, large) for url in targets))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    source.put(page("http://l.example/", links=[Link(url, "fern") for url in targets]))
    assert follower.step() == 1 + 2
    follower.catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert search.search("fern").total == 5 - 1


def test_a_batch_of_the_hostile_is_small() -> None:
    """Each is a commit of its own, or nearly."""
    large = [page(f"http://h.example/{number}", "amber " * (BATCH_BYTES // 12)) for number in range(9)]
    assert len(next_batch(Memory(*large), 0)) == 2
    assert len({one.name for one in HOSTILE_PAGES}) == len(HOSTILE_PAGES)
