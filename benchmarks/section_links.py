"""Measures at which place a hit opens: that which the manual's own index names for the query.

The entries of the index are the queries. Those count of which the page is among the first hits and is longer
than a few screens; one is right if the link leads to the id that the index names, or within one screen of it,
as Chromium lays the page out. Pages of nothing but the index are left out of the crawl.

    sections.PACKAGE                share of these entries that open there
    sections.info.PACKAGE.exact     that lead to the very id
    sections.info.PACKAGE.entries   how many count, of ENTRIES that were drawn
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.instruments.row import Row, report_progress
from benchmarks.judged_site import crawl_site, open_snapshot
from benchmarks.sites import Site
from benchmarks.tasks.person import DESK, open_browser
from engine.errors import EngineError
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.index.snippets.matcher import build_matcher
from engine.index.snippets.snippet import make_snippet
from engine.ranking import Ranking
from engine.search.answer import answer_query

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PACKAGES = ("python3.11-doc", "apache2-doc")  # of INDEXES
ENTRIES = 1_500  # drawn of an index, by SEED
SEED = 0x4C59
FIRST = 3  # hits looked at
LONG = 3_000  # characters of a page; of a shorter one all is seen at once
SCREEN = DESK["height"]  # pixels

_TOPS = """ids => ids.map(id => {
  const found = document.getElementById(id) ?? document.getElementsByName(id)[0];
  return found ? found.getBoundingClientRect().top + scrollY : null;
})"""
_AGAIN = re.compile(r"\[\d+\]")  # a further link of the same entry


class ManualIndex(NamedTuple):
    """The pages of an index, as patterns of paths beside the start page."""

    exclude: str  # regular expression of those that are nothing else
    pages: str = "genindex-all.html"
    glossary: str = ""  # page whose terms are entries, too


INDEXES: Mapping[str, ManualIndex] = {
    "python3.11-doc": ManualIndex(r"(genindex|py-modindex|contents\.html|search\.html)"),
    "python-django-doc": ManualIndex("genindex", "genindex.html"),
    "python-sqlalchemy-doc": ManualIndex("genindex", "genindex.html"),
    "apache2-doc": ManualIndex(
        r"(mod/directives|mod/quickreference)\.html", "mod/[dq][iu]*re*.html", "glossary.html"
    ),
}


class Opened(NamedTuple):
    """Where a hit opened, and the places on its page that the index names."""

    url: str
    typed: str
    fragment: str
    wanted: frozenset[str]


Places = Mapping[str, frozenset[str]]
"""Ids by path of the page."""
Entries = Mapping[str, Places]
"""Where the index says that something is, by what."""


def rows(sites: Sequence[Site]) -> Iterator[Row]:
    """The shares for each site. Raises EngineError."""
    with open_browser() as browser:
        for site in sites:
            found, tops = measure_site(site, browser)
            exact = [one for one in found if one.fragment in one.wanted]
            near = [one for one in found if distance(one, tops) < SCREEN]
            yield Row(f"sections.{site.package}", len(near) / len(found))
            yield Row(f"sections.info.{site.package}.exact", len(exact) / len(found))
            yield Row(f"sections.info.{site.package}.entries", len(found))


def measure_site(site: Site, browser: "Browser") -> tuple[list[Opened], dict[tuple[str, str], float]]:
    """Where entries open, and how far down each of the places is that were compared. Raises EngineError."""
    if site.package not in INDEXES:
        raise EngineError(f"the index of {site.package} is unknown; known are {', '.join(INDEXES)}")
    entries = draw_entries(read_index(site))
    with crawl_site(site, INDEXES[site.package].exclude) as (data_dir, begin):
        with open_snapshot(data_dir, Ranking()) as snapshot:
            found = list(open_entries(snapshot, begin, entries))
        report_progress(f"looking where {len(found)} entries open")
        tops = measure_tops(browser, found)
        return [one for one in found if _is_there(one, tops)], tops


def read_index(site: Site) -> Entries:
    """The entries of a manual's index and their places."""
    index, folder = INDEXES[site.package], site.root / site.start.rpartition("/")[0]
    found: dict[str, dict[str, set[str]]] = {}
    for path in sorted(folder.glob(index.pages)):
        page = path.relative_to(folder).as_posix()
        for typed, url in _list_links(path):
            target, fragment = urldefrag(urljoin(page, url))
            if fragment and target != page:
                found.setdefault(typed, {}).setdefault(target, set()).add(unquote(fragment))
    for term in _parse(folder / index.glossary).css("dt") if index.glossary else ():
        if named := next(filter(None, map(_name, term.traverse())), ""):
            found.setdefault(term.text(), {}).setdefault(index.glossary, set()).add(named)
    return {
        words: {path: frozenset(ids) for path, ids in places.items()}
        for typed, places in found.items()
        if (words := " ".join(re.sub("[()]", " ", typed).split()))
    }


def draw_entries(entries: Entries) -> Entries:
    """At most ENTRIES of them, the same ones each time."""
    if len(entries) <= ENTRIES:
        return entries
    drawn = random.Random(SEED).sample(sorted(entries), ENTRIES)
    return {typed: entries[typed] for typed in drawn}


def open_entries(snapshot: DirectorySnapshot, begin: str, entries: Entries) -> Iterator[Opened]:
    """Where the first right hit of each entry opens, if there is one and its page is long."""
    for typed, places in entries.items():
        query, best, _ = answer_query(snapshot, typed, FIRST)
        pages = [snapshot.reader.page(hit.document) for hit in snapshot.rank(best, FIRST)]
        page = next((one for one in pages if one.url.removeprefix(begin) in places), None)
        if page and len(page.text) > LONG:
            fragment = make_snippet(page, build_matcher(query, snapshot.reader.languages)).fragment
            yield Opened(page.url, typed, unquote(fragment), places[page.url.removeprefix(begin)])


def measure_tops(browser: "Browser", found: Iterable[Opened]) -> dict[tuple[str, str], float]:
    """How many pixels below the top of its page each place is, by URL and id; the page itself is at 0."""
    tops: dict[tuple[str, str], float] = {}
    tab = browser.new_page(viewport=DESK)
    for url, of_page in groupby(sorted(found, key=attrgetter("url")), key=attrgetter("url")):
        ids = sorted({name for one in of_page for name in (one.fragment, *one.wanted) if name})
        tab.goto(url)
        known = zip(ids, tab.evaluate(_TOPS, ids), strict=True)
        tops |= {(url, name): top for name, top in known if top is not None}
        tops[url, ""] = 0.0
    tab.close()
    return tops


def distance(one: Opened, tops: Mapping[tuple[str, str], float]) -> float:
    """Pixels from where a hit opens to the nearest place wanted; infinite where one of them is not there."""
    there = [tops[one.url, name] for name in one.wanted if (one.url, name) in tops]
    opened = tops.get((one.url, one.fragment), float("inf"))
    return min((abs(top - opened) for top in there), default=float("inf"))


def _is_there(one: Opened, tops: Mapping[tuple[str, str], float]) -> bool:
    """Tells whether a place that the index names is on the page; some are not any more."""
    return any((one.url, name) in tops for name in one.wanted)


def _list_links(path: Path) -> Iterator[tuple[str, str]]:
    """The links of a page of an index, each with the words of the entry that it belongs to."""
    for link in _parse(path).css("a[href*='#']"):
        heads = []
        around = link.parent
        while around is not None:
            if around.tag == "li":
                heads.append(_head(around))
            around = around.parent
        text = link.text()
        if not heads or not (_AGAIN.fullmatch(text) or text == heads[0]):
            heads.insert(0, text)
        yield _join_heads(heads), link.attributes["href"] or ""


def _join_heads(heads: Sequence[str]) -> str:
    """The words of an entry below others; what is in brackets goes on instead of other brackets."""
    words = ""
    for head in reversed(heads):
        words = f"{words.partition(' (')[0] if head.startswith('(') else words} {head}"
    return words


def _head(entry: LexborNode) -> str:
    """What an entry of a list begins with: its first text that is more than white space."""
    return next((text for child in entry.iter(include_text=True) if (text := child.text().strip())), "")


def _name(node: LexborNode) -> str:
    return node.id or (node.tag == "a" and node.attributes.get("name")) or ""


def _parse(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(path.read_bytes())
