"""The main text of a page as a person sees it, cut at its headings."""

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.page import Section

MAX_TEXT = 2_000_000  # characters of a page, white space included: three long novels
MAX_SECTIONS = 2_000  # headings; those that follow are text of the last section
MAX_FRAGMENT = 200  # characters of a heading's id
MAX_ANCESTORS = 16  # elements looked at around one; headers and footers of a page are near its root

BLOCK = "\f"
"""Stands before every block in the source: white space to a parser, and on a page only from printouts."""

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_NEVER_READ = "nav aside script style noscript iframe object svg input select textarea datalist"
_ALWAYS_FURNITURE = frozenset(_NEVER_READ.split())  # on the page but not of it
_MAYBE_FURNITURE = ["header", "footer", "button", "[hidden]", "[style]", "[role=navigation]", "a.headerlink"]
_HEADINGS_AND_FURNITURE = ",".join([*_HEADINGS, *_ALWAYS_FURNITURE, *_MAYBE_FURNITURE])
_SECTIONING = frozenset(["article", "section", "main"])  # HTML, 4.3: their headers are not the page's
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

_MARK = "\ue000{}\ue001"  # stands where heading number {} was: private use, so it means nothing on a page
_MARKED = re.compile(_MARK.format("([0-9]{1,7})"))


def read_sections(tree: LexborHTMLParser) -> tuple[Section, ...]:
    """The sections of the main part, or of the body if that is missing or empty. Takes the tree apart."""
    for root in (tree.css_first("main,[role=main]"), tree.body):
        if root is not None:
            sections = _cut(root)
            if any(section.heading or section.text for section in sections):
                return sections
    return (Section("", "", ""),)


def _cut(root: LexborNode) -> tuple[Section, ...]:
    """Take the furniture away and cut the text at the headings."""
    headings = _mark_headings(root)
    first, *rest = _MARKED.split(root.text()[:MAX_TEXT])
    sections = [Section("", "", _lines(first))]
    for number, text in zip(rest[::2], rest[1::2], strict=True):
        sections.append(Section(*headings.get(int(number), ("", "")), _lines(text)))
    return tuple(sections)


def _mark_headings(root: LexborNode) -> dict[int, tuple[str, str]]:
    """Put a mark in each heading's place and take the furniture out; the headings and fragments by number."""
    nodes = {node.mem_id: node for node in root.css(_HEADINGS_AND_FURNITURE)}  # css() may repeat itself
    nodes.pop(root.mem_id, None)
    wanted = set(islice((key for key, node in nodes.items() if node.tag in _HEADINGS), MAX_SECTIONS))
    headings: dict[int, tuple[str, str]] = {}
    # Backwards, so that what is inside another element goes before it, and nothing goes twice.
    for number, (key, node) in enumerate(reversed(nodes.items())):
        if key in wanted:
            text = " ".join(_MARKED.sub(" ", node.text()).split())
            headings[number] = text.removesuffix("¶"), _fragment(node)
            node.replace_with(_MARK.format(number))
        elif _is_furniture(node):
            node.decompose()
    return headings


def _is_furniture(node: LexborNode) -> bool:
    """Whether an element that may be furniture is."""
    tag = node.tag
    if tag in _ALWAYS_FURNITURE:
        return True
    if tag in ("header", "footer"):
        return not any(above.tag in _SECTIONING for above in _ancestors(node))
    if tag == "button":  # one in a heading unfolds what is under it and bears its name
        return not any(above.tag in _HEADINGS for above in _ancestors(node))
    attributes = node.attributes
    style, kind, role = (attributes.get(name) or "" for name in ("style", "class", "role"))
    return (
        "hidden" in attributes or role == "navigation" or "headerlink" in kind or bool(_UNSEEN.search(style))
    )


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """The elements around a node, the nearest first."""
    above = node.parent
    for _ in range(MAX_ANCESTORS):
        if above is None:
            return
        yield above
        above = above.parent


def _fragment(heading: LexborNode) -> str:
    """The id by which a link reaches a heading: on it or in it, on an anchor before it, or on its section."""
    named = heading.css_first("[id],a[name]")
    before, around = heading.prev, heading.parent
    if before is not None and before.tag == "-text" and not before.text().strip():
        before = before.prev
    if named is None and before is not None and before.tag == "a":
        named = before
    if named is None and around is not None and (before is None or around.tag in _SECTIONING):
        named = around
    attributes = named.attributes if named is not None else {}
    fragment = attributes.get("id") or attributes.get("name") or ""
    return fragment if len(fragment) <= MAX_FRAGMENT else ""


def _lines(text: str) -> str:
    """The text with a line for each block and single spaces."""
    return "\n".join([" ".join(words) for words in map(str.split, text.split(BLOCK)) if words])
