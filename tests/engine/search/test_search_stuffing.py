"""Texts stuffed with what people may ask for: an honest page to which nobody links stays before them."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.model.page import Page
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.engine.search.test_search import urls
from tests.engine.search.test_search_spam import FORMS, HONEST, PLAIN, SHOP, SPAM, TITLE, shop

UNREAD = page(
    HONEST.url,
    """The kauri is a large tree of the north of the island. Old kauri forests are protected by law,
    and a tree may live for two thousand years. Its timber was used for ships and houses, and its
    gum for varnish. Most of the old ones were felled in the nineteenth century. A disease that is
    carried by soil on shoes threatens those that are left, so visitors clean their boots before
    they enter a forest with kauri in it. The bark comes off in flakes, and climbing plants do not
    hold. Seeds are carried by the wind and grow well where a storm has opened the canopy. Young
    ones are narrow and shed their lower branches as they grow.""",
    title=TITLE,
    language="en",
)
NEIGHBOURS = [
    page(f"http://{n}.example/", " ".join(f"word{at * at % (40 + n)}" for at in range(100)))
    for n in range(40)
]
WORDY = " ".join(f"w{n}" for n in range(500))


def strewn(words: int, every: int) -> str:
    """A text that has the query at each so many words."""
    return " ".join("kauri tree" if n % every == 0 else f"w{n}" for n in range(words))


STUFFED = [
    ([page(SPAM, "kauri " * 5_000, title=TITLE)], "a word 5,000 times"),
    ([page(SPAM, "kauri tree " * 1_000, title=TITLE)], "the query 1,000 times side by side"),
    ([page(SPAM, f"{PLAIN.text}\n{'kauri tree ' * 1_000}", title=TITLE)], "1,000 times below a text"),
    ([page(SPAM, f"{WORDY}\n{'kauri tree ' * 100}", title=TITLE)], "a hundred times below a long text"),
    ([page(SPAM, f"{PLAIN.text}\n{'kauri tree ' * 19}", title=TITLE)], "19 times below a text"),
    ([page(SPAM, strewn(100, 5), title=TITLE)], "each fifth word of a short text"),
    ([page(SPAM, strewn(1_000, 5), title=TITLE)], "each fifth word of a long text"),
    ([page(SPAM, strewn(1_000, 10), title=TITLE)], "each tenth word"),
    ([page(SPAM, f"{UNREAD.text}{' kauri tree' * 50}", title=TITLE)], "a copy, and the query 50 times"),
    ([shop(f"<p>{' '.join(FORMS * 20)}</p>")], "a list of all that people may ask for, twenty times"),
    ([shop("<h1>kauri tree</h1>" * 100)], "headings without a text"),
    ([shop(f"<h2>Kauri tree</h2>{SHOP}" * 10)], "headings over the same text again and again"),
    ([shop("<ul>" + "<li>kauri tree" * 40 + "</ul>")], "items of a list"),
    ([shop("".join(f"<tr><td>kauri tree<td>{n}" for n in range(40)).join(["<table>", "</table>"]))],
     "cells of a table, each with a number"),
    ([shop("".join(f"<a href=/t/{n}>kauri tree</a> " for n in range(40)))], "a cloud of links"),
    (
        [page(f"{SPAM}{'kauri/tree/' * 15}", f"{WORDY} a kauri tree", title=TITLE)],
        "an address that is a list",
    ),
    ([shop(f"<footer>{'kauri tree ' * 50}</footer>")], "a footer"),
]  # fmt: skip


@pytest.mark.requirement(302)
@pytest.mark.parametrize(("spam", "why"), STUFFED, ids=[why for _, why in STUFFED])
def test_an_honest_page_to_which_nobody_links_comes_before_one_stuffed_with_its_words(
    tmp_path: Path, spam: list[Page], why: str
) -> None:
    """Neither how often a word stands there nor its form nor which words stand together says anything."""
    Follower(Memory(UNREAD, *spam, *NEIGHBOURS), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        for query in ("kauri", "kauri tree"):
            assert urls(search.search(query))[:2] == [UNREAD.url, spam[0].url], f"{why}: {query}"
