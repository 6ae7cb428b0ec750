"""The pages of the friendly web are what tests elsewhere take them for."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.web.client import fetch
from tests.web.serve import FRIENDLY, FriendlyWeb, friendly_web, read_table

WEB = Path(__file__).parent
HTML_PAGES = sorted(FRIENDLY.rglob("*.html"))
LANGUAGES = {"en", "ru", "pl", "fa", "zh-Hans"}
DEAD_LINKS = ["garden-en/greenhouse.html"]  # the one 404 that the friendly web means to have
MIN_TEXT, MAX_TEXT = 350, 1600  # characters of an alphabetic page
MIN_HAN = 130  # characters of a Chinese one


class Markup(HTMLParser):
    """What a test asks of a page: its tags in order with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def values(self, tag: str, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for name, attrs in self.tags if name == tag and attribute in attrs]


def read(page: Path) -> str:
    """A page's markup; the one old page is windows-1251."""
    return page.read_text("cp1251" if b"windows-1251" in page.read_bytes() else "utf-8")


def main_part(page: Path) -> str:
    """The markup of a page's main element."""
    text = read(page)
    return text[text.index("<main>") : text.index("</main>")]


def name_of(page: Path) -> str:
    return page.relative_to(FRIENDLY).as_posix()


@pytest.fixture(scope="module")
def web() -> Iterator[FriendlyWeb]:
    with friendly_web() as running:
        yield running


def test_the_friendly_web_is_seven_hosts_of_about_sixty_pages(web: FriendlyWeb) -> None:
    assert len(web.urls) == 7
    assert len(web.seeds) == 7
    assert 55 <= len(HTML_PAGES) <= 75


@pytest.mark.parametrize("page", HTML_PAGES, ids=name_of)
def test_a_page_is_well_formed_and_says_what_it_is(page: Path) -> None:
    text = read(page)
    markup = Markup(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not markup.open, "every element is closed"
    language = markup.values("html", "lang")[0]
    assert language in LANGUAGES
    assert markup.values("html", "dir") == (["rtl"] if language == "fa" else [])
    assert {"charset", "content"} <= {
        attribute for tag, attrs in markup.tags if tag == "meta" for attribute in attrs
    }
    assert "description" in markup.values("meta", "name")
    headings = [attrs for tag, attrs in markup.tags if tag in ("h1", "h2")]
    assert len(headings) >= 2
    assert all(attrs.get("id") for attrs in headings)
    assert len({attrs["id"] for attrs in headings}) == len(headings)
    reading = re.sub(r"<[^>]+>", "", main_part(page))
    assert (MIN_HAN if language == "zh-Hans" else MIN_TEXT) <= len(reading) <= MAX_TEXT


def test_every_link_leads_somewhere(web: FriendlyWeb) -> None:
    """A page, a redirect, or the one listed 404; and a fragment names a heading there."""
    dead, ask = set(), cache(fetch)
    for page in HTML_PAGES:
        here = web.url(name_of(page))
        for link in Markup(ask(here)[2].decode("latin-1")).values("a", "href"):
            target, _, fragment = urljoin(here, link).partition("#")
            status, headers, body = ask(target)
            if status == 301:
                status, _, body = ask(headers["Location"])
            if status == 404:
                dead.add(target)
            assert not fragment or f'id="{fragment}"'.encode() in body, f"{link} on {here}"
    assert dead == {web.url(page) for page in DEAD_LINKS}


@pytest.mark.parametrize(("query", "page"), read_table((WEB / "queries.tsv").read_text()))
def test_a_query_has_a_page_whose_headings_say_it(query: str, page: str) -> None:
    text = read(FRIENDLY / page)
    headings = " ".join(re.findall(r"<(?:title|h1|h2)[^>]*>([^<]+)", text)).lower()
    assert all(word in headings for word in query.split())


def test_each_language_has_five_queries() -> None:
    counts = Counter(page.partition("/")[0][-2:] for _, page in read_table((WEB / "queries.tsv").read_text()))
    assert set(counts) == {"en", "ru", "pl", "fa", "zh"}
    assert min(counts.values()) >= 5


@pytest.mark.parametrize(("word", "page", "why"), read_table((WEB / "unsearchable.tsv").read_text()))
def test_an_unsearchable_word_stands_on_one_page_only(word: str, page: str, why: str) -> None:
    holders = [name_of(file) for file in FRIENDLY.rglob("*.*") if word.encode() in file.read_bytes()]
    assert holders == [page], why


def test_only_a_nofollow_page_links_to_the_old_shed() -> None:
    linking = [page for page in HTML_PAGES if b"old-shed.html" in page.read_bytes()]
    assert [name_of(page) for page in linking] == ["garden-en/visitors.html"]
    markup = Markup(linking[0].read_text())
    assert "nofollow" in markup.values("meta", "content")
    assert markup.values("a", "href") == ["/attic/old-shed.html"]


@pytest.mark.parametrize(
    ("original", "copy", "why"),
    [
        ("spiders-en/orb-webs.html", "spiders-en/print/orb-webs.html", "a version for printing"),
        ("spiders-en/moulting.html", "links-en/copy/moulting.html", "a copy on another host"),
    ],
)
def test_a_copy_has_the_main_text_of_its_original(original: str, copy: str, why: str) -> None:
    assert main_part(FRIENDLY / original) == main_part(FRIENDLY / copy), why
