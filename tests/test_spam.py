"""What spammers do, and where it gets them: an honest page stays before theirs (requirements 302-304)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.page import Link, Page
from engine.text import read
from tests.index.source import page
from tests.test_search import found, urls

HONEST = page(
    "http://honest.example/kauri",
    "The kauri is a tree of the north. Old kauri forests are protected, and a kauri lives for ages.",
    title="The kauri tree",
    language="en",
)
SPAM = "http://spam-site.com/"
PLAIN = page(SPAM, "We sell cheap watches, and have done so for years.", title="Watches", language="en")
OTHERS = [page(f"http://{n}.example/", "A page about rooms and what they are made of.") for n in range(12)]
READERS = [
    page(f"http://reader{n}.example/", "I like it.", links=[Link(HONEST.url, "kauri")]) for n in range(10)
]
SAME = replace(HONEST, url=SPAM, title="The kauri tree, for sale")


def farm(hosts: Sequence[str]) -> list[Page]:
    """Pages that are there to link to the spam page, and to each other."""
    addresses = [f"http://{host}/{n}" for n, host in enumerate(hosts)]
    links = tuple(Link(url, "kauri") for url in (SPAM, *addresses))
    return [page(url, f"Number {n} of many.", links=links) for n, url in enumerate(addresses)]


def hidden(style: str) -> Page:
    """Words that nobody sees."""
    body = f"<p>{PLAIN.sections[0].text}</p><div {style}>{'kauri ' * 200}</div>"
    return read(f"<html><body>{body}</body></html>".encode(), SPAM, "text/html; charset=utf-8", ())


SPAMMED = [
    ([replace(PLAIN, keywords="kauri, " * 300)], "a list of keywords: requirement 303"),
    ([replace(PLAIN, description="kauri " * 300)], "a description that is a list"),
    ([replace(PLAIN, title="kauri " * 200)], "a title that is a list: requirement 302"),
    ([page(SPAM, "kauri " * 1_000)], "repetition: requirement 302"),
    ([page(SPAM, f"{PLAIN.sections[0].text}\n{'kauri ' * 1_000}", title="kauri")], "repetition under a text"),
    ([hidden("style='display:none'")], "words that are not shown: requirement 302"),
    ([hidden("hidden")], "likewise: requirement 302"),
    ([SAME, *farm(["spam-site.com"] * 50)], "generated pages of one host: requirement 304"),
    (
        [SAME, *farm([f"h{n}.spam-site.com" for n in range(50)])],
        "hosts of one registrable domain: requirement 304",
    ),
]


@pytest.mark.parametrize(("spam", "why"), SPAMMED, ids=range(len(SPAMMED)))
def test_an_honest_page_stays_first(tmp_path: Path, spam: list[Page], why: str) -> None:
    before = found(tmp_path / "before", [HONEST, PLAIN, *OTHERS, *READERS], "kauri")
    assert urls(before)[0] == HONEST.url
    assert SPAM not in urls(before)
    after = found(tmp_path / "after", [HONEST, *spam, *OTHERS, *READERS], "kauri")
    assert urls(after)[0] == HONEST.url, why


def test_requirement_304_a_farm_of_one_domain_is_one_voter(tmp_path: Path) -> None:
    """Fifty hosts of theirs are less than ten others with a page each; a page that is otherwise equal."""
    equal = [replace(HONEST, url=url) for url in (SPAM, "http://tree.example/")]
    voters = [replace(reader, links=(Link("http://tree.example/", "kauri"),)) for reader in READERS]
    pages = [*equal, *farm([f"h{n}.spam-farm.com" for n in range(50)]), *OTHERS]
    assert urls(found(tmp_path / "before", pages, "kauri"))[0] == SPAM
    assert urls(found(tmp_path / "after", [*pages, *voters], "kauri"))[0] == "http://tree.example/"
