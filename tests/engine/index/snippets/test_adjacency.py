"""Which words of a page stand side by side, as a phrase has them."""

import pytest

from engine.index.query.parser import parse_tree
from engine.index.snippets.match_positions import find_matches
from engine.index.snippets.matcher import build_matcher
from engine.index.stored_pages.stored_page import unpack_page
from engine.model.page import Page, Section
from engine.packing.texts import pack

PHRASES = [
    ("The event loop.", 1, "a space"),
    ("The event_loop.", 1, "a joint"),
    ("The event -- loop.", 1, "four characters that are no letters"),
    ("The event --- loop.", 0, "five"),
    ("The event of a loop.", 0, "words stand between them"),
    ("The loop event.", 0, "the other way round"),
    ("Events and an event loop", 1, "the word stands elsewhere, too"),
    ("The event\nloop.", 1, "the line ends between them"),
    ("event loop, event loop", 2, "each time"),
    ("Die événement: event — loop 龟 event loop", 2, "other characters are of several octets"),
    ("event event loop", 1, "the first of two does not stand beside the last"),
]


@pytest.mark.parametrize(("text", "times", "why"), PHRASES, ids=[why for *_, why in PHRASES])
def test_the_places_of_a_phrase(text: str, times: int, why: str) -> None:
    about = {"url": "http://a.example/", "language": "en", "media_type": "", "fetched_at": 0.0}
    page = unpack_page(
        {**about, "content": pack(Page("http://a.example/", sections=(Section("", "", text),)))}
    )
    wanted = build_matcher(parse_tree('"event loop"', ["en"]), frozenset())
    found = find_matches(page, page.searched_layout, wanted).columns
    of_phrase = found[:, found[2] == len(wanted.needles)]
    assert of_phrase.shape[1] == times, why
    assert all("loop" in text[start:end] for start, end in of_phrase[:2].T.tolist()), why
