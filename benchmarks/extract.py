"""Measures main text extraction beside trafilatura and resiliparse: words of marked pages, CPU time.

Precision, recall and F1 are those of the words (benchmarks/corpora/gold.py), the mean over pages; the time
that of all of them. What ours does in that time besides, links, HEAD, language, the peers do not.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from urllib.parse import quote

from benchmarks.corpora.gold import (
    HELD_OUT,
    PRESS,
    MarkedPage,
    Overlap,
    compute_overlap,
    read_site_pages,
    read_test_pages,
)
from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from benchmarks.instruments.shares import profile_functions
from benchmarks.sites import Site
from engine.errors import EngineError
from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_digests
from engine.url import canonicalize

PACKAGES = (
    "python3.11-doc",
    "apache2-doc",
    "debian-handbook",
    "git-doc",
    "openjdk-17-doc",
    "libboost1.81-doc",
)
READ = ("python3.11-doc", "openjdk-17-doc")  # the sites of the budget
BUDGET = 900.0  # microseconds a page for reading and fingerprint together
WHY = "each element and each link of a page costs some calls from Python; no step takes a fifth of it"
PAGES = 2_000  # of each of them at most, unless told otherwise
ROUNDS = 3  # the best one counts: the others were disturbed
URL = "http://h/"
HTML = "text/html"

Extract = Callable[[bytes], str]


def rows(sites: Sequence[Site], pages: int | None) -> Iterator[Row]:
    """Ours beside each peer, on our own pages and on those of the sites; then what a page costs us."""
    peers = _peers()
    sets = {
        "own": [*read_test_pages()],
        PRESS: [*read_test_pages(PRESS)],
        HELD_OUT: [*read_test_pages(HELD_OUT)],
        "sites": [*read_site_pages(sites)],
    }
    for name, marked in sets.items():
        if marked:
            report_progress(f"{len(marked)} marked pages: {name}")
            yield from _beside(name, marked[:pages], peers)
    for site in sites:
        if site.package in READ:
            yield from _reading(site, pages or PAGES)


def _beside(name: str, marked: Sequence[MarkedPage], peers: dict[str, Extract]) -> Iterator[Row]:
    ours, seconds = _measured(_ours, marked)
    for peer, extract in peers.items():
        theirs, theirs_seconds = _measured(extract, marked)
        for figure, our, their in zip(Overlap._fields, ours, theirs, strict=True):
            yield rate_row(f"extract.{name}.{figure}", our, peer, their)
        yield cost_row(f"extract.{name}.us", seconds * 1e6, peer, theirs_seconds * 1e6)


def _measured(extract: Extract, marked: Sequence[MarkedPage]) -> tuple[Overlap, float]:
    """The mean of each figure, and the CPU seconds of a page."""
    # Models are loaded on the way.
    found = [compute_overlap(extract(page.html), page.main) for page in marked]
    best = min(_seconds(extract, marked) for _ in range(2))
    return Overlap(*(sum(figures) / len(found) for figures in zip(*found, strict=True))), best / len(marked)


def _seconds(extract: Extract, marked: Sequence[MarkedPage]) -> float:
    began = time.process_time()
    for page in marked:
        extract(page.html)
    return time.process_time() - began


def _reading(site: Site, pages: int) -> Iterator[Row]:
    """Microseconds of CPU for reading and fingerprint of a page, every so many pages of a site one.

    And which functions take how much of it.
    """
    root = site.root / site.start
    paths = sorted(path for path in root.parent.rglob("*.html") if path.is_file())
    paths = paths[:: max(len(paths) // pages, 1)][:pages]
    if not paths:
        raise EngineError(f"there is no HTML page in {root.parent}")
    bodies = [
        (path.read_bytes(), canonicalize(URL + quote(str(path.relative_to(site.root))))) for path in paths
    ]
    report_progress(f"reading {len(bodies)} pages of {site.package}")
    best = min(_read(bodies) for _ in range(ROUNDS)) / len(bodies) * 1e6
    name = f"extract.info.read.{site.package}"
    yield Row(name, best, budget=BUDGET, why=WHY if best > BUDGET else None)
    for function, share in profile_functions(lambda: _read(bodies)):
        yield Row(f"{name}.share.{function}", share)


def _read(bodies: Sequence[tuple[bytes, str]]) -> float:
    began = time.process_time()
    for body, url in bodies:
        compute_digests(read_document(body, url, HTML, ()))
    return time.process_time() - began


def _ours(html: bytes) -> str:
    return read_document(html, URL, HTML, ()).text


def _peers() -> dict[str, Extract]:
    """The others, as their documentation shows them; EngineError when they are not there."""
    if not find_spec("trafilatura") or not find_spec("resiliparse"):
        raise EngineError(
            "trafilatura or resiliparse is missing: pip install -c constraints.txt -e '.[bench]'"
        )
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it complains of pages without text

    def by_resiliparse(html: bytes) -> str:
        tree = HTMLTree.parse_from_bytes(html, detect_encoding(html) or "utf-8")
        return str(extract_plain_text(tree, main_content=True, alt_texts=False))

    return {
        "trafilatura": lambda html: trafilatura.extract(html, include_comments=False) or "",
        "resiliparse": by_resiliparse,
    }
