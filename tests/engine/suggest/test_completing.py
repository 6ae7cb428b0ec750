"""Completions: which names of pages are offered for the first letters, and when."""

import random
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from pydoc_data.topics import topics

import pytest

from engine.index.indexing.follow import Follower
from engine.index.lexicon import segment_names
from engine.model.page import Flag, Link, Page, Section
from engine.search.search import SearchService
from engine.suggest.completing import MAX_COMPLETIONS
from tests.engine.index.lexicon.opened import Opener
from tests.engine.index.source import Memory


def texts(search: SearchService, typed: str) -> list[str]:
    return [one.text for one in search.complete(typed)]


@pytest.fixture(scope="module")
def search(open_search: Opener, tmp_path_factory: pytest.TempPathFactory) -> SearchService:
    return open_search(tmp_path_factory.mktemp("completing"), Memory(*PAGES))


def named(number: int, title: str, *headings: str, links: list[Link] | None = None) -> Page:
    sections = tuple(Section(heading, heading, "words") for heading in headings)
    return Page(f"http://a.example/{number}", title=title, sections=sections, links=links or [])


PAGES = [
    named(1, "The event loop", "Running a loop", "Obtaining the event loop"),
    named(2, "Events and signals", "Running out", links=[Link("http://a.example/3", "evening star")]),
    named(3, "Żółw – the turtle"),
    named(4, "Привет, мир"),
    named(5, "asyncio.Queue", "Ёлка"),
    named(6, "C++ and back"),
    named(7, "如何安装"),
    named(
        8, "git-rebase(1)", "mod_rewrite", "std::vector", "lib/decimal", "object.__init__", "Initial value"
    ),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(
    ("typed", "offered", "why"),
    [
        ("eve", ["Events and signals", "The event loop", "evening star", "Obtaining the event loop"],
         "a title that begins so, one with such a word, what links say, a heading"),
        ("event l", ["The event loop", "Obtaining the event loop"], "two words, the second begun"),
        ("run", ["Running out", "Running a loop"], "headings: the shorter one first"),
        ("ZOL", ["Żółw – the turtle"], "no accents, another case"),
        ("żół", ["Żółw – the turtle"], "accents"),
        ("при", ["Привет, мир"], "any script"),
        ("мир", ["Привет, мир"], "a later word"),
        ("ёл", ["Ёлка"], "a letter that is also written without its dots"),
        ("que", ["asyncio.Queue"], "a part of an identifier"),
        ("c++", ["C++ and back"], "marks behind a letter"),
        ("git reb", ["git-rebase(1)"], "a space for a hyphen"),
        ("git_reb", ["git-rebase(1)"], "any sign for any other"),
        ("mod rew", ["mod_rewrite"], "a space for a sign that joins words"),
        ("mod-", ["mod_rewrite"], "nothing behind it yet"),
        ("rewr", ["mod_rewrite"], "the second word"),
        ("std vec", ["std::vector"], "two signs"),
        ("lib.dec", ["lib/decimal"], "a dot for a slash"),
        ("asyncio que", ["asyncio.Queue"], "a space for a dot"),
        ("asyncio.q", ["asyncio.Queue"], "the dot itself"),
        ("evening-st", ["evening star"], "a hyphen for a space"),
        ("running-a-l", ["Running a loop"], "for several"),
        ("__ini", ["object.__init__"], "what a word begins with is typed"),
        ("如何", ["如何安装"], "a script without spaces"),
        ("the event loop", ["The event loop", "Obtaining the event loop"], "all of it"),
        ("the event loops and what stands behind", [], "more than it"),
        ("xyz", [], "nothing begins so"),
        ("  ", [], "nothing is typed"),
        ("\x00\ud800\n\t", [], "junk is no beginning"),
    ],
)  # fmt: skip
def test_what_is_offered(search: SearchService, typed: str, offered: list[str], why: str) -> None:
    """Whatever is typed."""
    assert texts(search, typed) == offered, why


def test_what_is_linked_to_comes_first(open_search: Opener, tmp_path: Path) -> None:
    linking = [
        Page(f"http://b{number}.example/", links=[Link("http://a.example/2", "")]) for number in range(3)
    ]
    pages = [named(1, "Fern"), named(2, "Fern valley"), *linking]
    assert texts(open_search(tmp_path, Memory(*pages)), "fer") == ["Fern valley", "Fern"]


SITE = [
    *("queue — A synchronized queue class", "pyrene", "sched — Event scheduler", "Queues", "Python Setup"),
    *("heapq — Heap queue algorithm", "bisect", "array", "select (a system call)", "Fern and docking"),
    "Abutilon " + "iris " * 14 + "iris",
]


@pytest.mark.parametrize(
    ("typed", "offered", "why"),
    [
        ("queu", ["Queues", "queue — A synchronized queue class", "heapq — Heap queue algorithm"], "cut"),
        ("pyt", ["Python Setup"], "what all titles have behind a dash is no name"),
        ("doc", ["Fern and docking"], "nor is a later word of it"),
        ("sel", ["select (a system call)"], "what else stands behind a title stays"),
        ("queues ", ["Queues"], "a word and a space"),
        ("queues — py", ["Queues — Python 3.11 docs"], "somebody types all of it"),
        ("abu", ["Abutilon " + "iris " * 14 + "iris"], "a long title that is cut within it"),
        ("moss", ["Moss — few titles"], "of a few pages nothing is learned"),
    ],
)
def test_the_name_of_the_site_is_cut_off(
    open_search: Opener, tmp_path: Path, typed: str, offered: list[str], why: str
) -> None:
    pages = [named(at, f"{title} — Python 3.11 docs") for at, title in enumerate(SITE)]
    few = [
        Page(f"http://b.example/{at}", title=f"{name} — few titles") for at, name in enumerate(["Moss"] * 3)
    ]
    assert texts(open_search(tmp_path, Memory(*pages, *few)), typed) == offered, why


def test_a_name_comes_and_goes_with_its_page(open_search: Opener, tmp_path: Path) -> None:
    source = Memory(named(1, "Fern"), named(2, "Ferry"))
    assert texts(open_search(tmp_path, source), "fer") == ["Fern", "Ferry"]
    source.put(named(3, "Fermata"))
    source.put(named(2, "Boat"))
    source.remove("http://a.example/1")
    assert texts(open_search(tmp_path, source), "fer") == ["Fermata"]


def test_a_name_of_many_pages_is_offered_once(open_search: Opener, tmp_path: Path) -> None:
    source = Memory(*(named(at, "FERN"[:at] + "fern"[at:]) for at in range(4)))
    assert len(open_search(tmp_path, source).complete("fe")) == 1


def test_a_place_is_offered_once_by_the_best_of_its_names(open_search: Opener, tmp_path: Path) -> None:
    linking = [Page(f"http://b.example/{at}", links=[Link("http://a.example/1", "Ferns")]) for at in range(2)]
    sections = Section("Ferment", "ferment", "words"), Section("Ferry", "", "words")
    page = Page("http://a.example/1", title="Ferns and moss", sections=sections)
    assert texts(open_search(tmp_path, Memory(page, *linking)), "fer") == ["Ferns and moss", "Ferment"]


@pytest.mark.requirement(307)
def test_a_page_that_has_nothing_to_say_has_no_name(open_search: Opener, tmp_path: Path) -> None:
    flagged = Page("http://a.example/", title="Fern", flag=Flag.PARKED)
    assert texts(open_search(tmp_path, Memory(flagged)), "fer") == []


@pytest.mark.folder
def test_of_very_many_names_some_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for one letter is bounded, whatever the index holds."""
    monkeypatch.setattr(segment_names, "AT_ONCE", 2)
    monkeypatch.setattr(segment_names, "MAX_READ", 8)
    pages = [named(number, f"fern{number:03}") for number in range(100)]
    Follower(Memory(*pages), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        found = texts(search, "f")
    assert len(found) == MAX_COMPLETIONS
    assert found[0] < "fern020"
    assert found[-1] > "fern070"


def test_the_first_three_letters_bring_a_title_and_so_do_those_of_its_other_words(
    open_search: Opener, tmp_path: Path
) -> None:
    """200 titles, of which no more begin alike than are offered; headings that begin so come behind them."""
    dice = random.Random(8)
    words = sorted({word for text in topics.values() for word in re.findall(r"\b[a-z]{5,}\b", text)})
    ways: Counter[str] = Counter()
    titles: list[str] = []
    while len(titles) < 200:
        of_title = dice.sample(words, 3)
        ways.update(word[:3] for word in of_title)
        if max(ways[word[:3]] for word in of_title) <= MAX_COMPLETIONS:
            titles.append(" ".join(of_title))
    pages = [named(at, title, f"{title[:3]} heading") for at, title in enumerate(titles)]
    search = open_search(tmp_path, Memory(*pages))
    missing = [
        (title, word) for title in titles for word in title.split() if title not in texts(search, word[:3])
    ]
    assert not missing
