"""The page of a query that nothing matches."""

import pytest

from tests.search_ui.conftest import Site
from tests.search_ui.pages.test_search_pages import attribute, links, texts


@pytest.mark.parametrize(
    ("fields", "advice", "why"),
    [
        ("q=nothing", [], "what helps with any query"),
        ("q=%22nothing%22", ["Remove the quotes; they require that exact phrase."], "a phrase"),
        ("q=nothing&lang=fa", ["Remove all filters"], "a filter that was chosen"),
    ],
)
def test_no_hits_say_what_to_try(site: Site, fields: str, advice: list[str], why: str) -> None:
    site.searcher.known['"nothing"'] = []
    page = site.get(f"/search?{fields}").text
    assert texts(page, ".count[role=status]") == ["0 results in 12 ms"]
    always = ["Check the spelling, or try a synonym.", "Use fewer or more common words."]
    assert texts(page, ".tries li") == always + advice, why
    assert links(page, ".tries a") == ["/search?q=nothing"] * ("lang" in fields), why


@pytest.mark.parametrize(
    ("target", "typed", "hits", "links_", "why"),
    [
        ("/search?q=spidr", "spidr", 10, ["/search?q=spider", "/search?q=spidr&verbatim=1"], "what is meant"),
        ("/search?q=spidr&verbatim=1", "spidr", 0, ["/search?q=spider"], "who wants what was typed gets it"),
        ("/search?q=spidr&lang=fa", "spidr", 10,
         ["/search?q=spider&lang=fa", "/search?q=spidr&lang=fa&verbatim=1"], "what was chosen holds"),
        ("/search?q=wsp", "wsp", 0, ["/search?q=nothing"], "that finds nothing either"),
    ],
)  # fmt: skip
def test_what_is_meant_is_shown_at_once_where_nothing_matched(
    site: Site, target: str, typed: str, hits: int, links_: list[str], why: str
) -> None:
    """The box keeps what was typed, and all links lead to what was searched for."""
    site.searcher.known.update({"spidr": [], "wsp": []})
    site.searcher.meant.update({"spidr": "spider", "wsp": "nothing"})
    site.searcher.remembered.clear()
    text = site.client.get(target, headers={"Sec-Fetch-Site": "none"}).text
    assert attribute(text, "#q", "value") == typed, why
    assert len(texts(text, ".hit")) == hits, why
    assert links(text, ".note a") == links_, why
    assert not hits or links(text, "a[rel=next]")[0].startswith("/search?q=spider&"), why  # type: ignore[union-attr]
    assert site.searcher.remembered == [(typed, 0)] * ("lang" not in target), why
