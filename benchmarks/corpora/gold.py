"""Loads pages whose main text a person has marked: pages of the tests, and pages of real sites."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from benchmarks.sites import Site
from engine.text.charset.charset import decode

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests/web/marked"
PRESS = "press"  # a folder of OWN: news, blogs, forums, shops, wikis
HELD_OUT = "held_out"  # the same; nobody looks at what is lost on them while changing the rules
TABLE = ROOT / "tests/tables/marked_pages.json"  # package, path, what holds the main text, what in it is none

_MARKS = re.compile(r"\s+data-(?:main|beside)(?=[\s>])")
_NOSCRIPT = re.compile("<noscript.*?</noscript>", re.DOTALL)  # which to a parser might end nowhere
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")  # Chinese and Japanese by the letter


class MarkedPage(NamedTuple):
    """A page as a server sends it, and the text that people come for."""

    name: str
    html: bytes
    main: str


class Overlap(NamedTuple):
    """How much of what was found is wanted, how much of what is wanted was found, and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def read_test_pages(folder: str = "") -> Iterator[MarkedPage]:
    """Those of the tests, or of a folder of them: marks are attributes, which are gone from the page."""
    for path in sorted((OWN / folder).glob("*.html")):
        html = path.read_text(encoding="utf-8")
        yield MarkedPage(
            path.stem, _MARKS.sub("", html).encode(), select_text(html, "[data-main]", "[data-beside]")
        )


def read_site_pages(sites: Sequence[Site]) -> Iterator[MarkedPage]:
    """Those of the table, as far as they are there."""
    roots = {site.package: site.root for site in sites}
    for package, path, main, beside in json.loads(TABLE.read_text(encoding="utf-8")):
        if package in roots and (roots[package] / path).is_file():
            html = (roots[package] / path).read_bytes()
            yield MarkedPage(f"{package}/{path}", html, select_text(html, main, beside))


def select_text(html: str | bytes, main: str, beside: str) -> str:
    """What elements say, the ones within others once, without some that are in them."""
    tree = LexborHTMLParser(_NOSCRIPT.sub("", decode(html, "")[0] if isinstance(html, bytes) else html))
    for node in tree.css(f"script,style,{beside}"):
        node.replace_with(" ")
    inner = {node.mem_id for holder in tree.css(main) for node in holder.css(main) if node != holder}
    holders = {node.mem_id: node for node in tree.css(main)}
    return "\n".join(node.text(separator=" ") for key, node in holders.items() if key not in inner)


def compute_overlap(found: str, wanted: str) -> Overlap:
    """Compares the words of two texts, each as often as it stands there."""
    ours, theirs = (Counter(_TOKEN.findall(text.casefold())) for text in (found, wanted))
    both = (ours & theirs).total()
    return Overlap(
        both / max(ours.total(), 1),
        both / max(theirs.total(), 1),
        2 * both / max(ours.total() + theirs.total(), 1),
    )
