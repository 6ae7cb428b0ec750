"""The main text of a page as a person sees it, cut at its headings."""

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.page import Section
from engine.text import hidden

MAX_TEXT = 2_000_000  # characters of a page, white space included: three long novels
MAX_SECTIONS = 2_000  # headings; those that follow are text of the last section
MAX_FRAGMENT = 200  # characters of a heading's id
MAX_ANCESTORS = 16  # elements looked at around one; headers and footers of a page are near its root
MAX_INSIDE = 64  # elements looked at in a heading or link; more than that is a page's fault

BLOCK = "\f"
"""Parts blocks in the text of an element: white space to a parser, and on a page only from printouts."""

_BLOCK_NAMES = """
    address article aside blockquote body br button caption center dd details dialog div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr iframe legend li main menu nav ol optgroup
    option p pre section select summary table tbody td textarea tfoot th thead tr ul
"""
_FURNITURE_NAMES = (
    f"nav aside script style iframe object svg input select textarea datalist {hidden.FALLBACK_NAMES}"
)
_HEADING_NAMES = "h1 h2 h3 h4 h5 h6"
_HEADINGS = frozenset(_HEADING_NAMES.split())
_ODD = f"{hidden.SELECTOR},[role=navigation],a.headerlink"
_SECTIONING = frozenset(["article", "section", "main"])  # HTML, 4.3: their headers are not the page's


def _tag_ids(names: str) -> frozenset[int]:
    """The parser's numbers for the elements of these names: a number costs half of what a name does."""
    tree = LexborHTMLParser("")
    return frozenset(tree.create_node(name).tag_id for name in names.split())


_BLOCKS = _tag_ids(_BLOCK_NAMES)
_PARTS = _tag_ids(f"{_HEADING_NAMES} {_FURNITURE_NAMES} header footer button")  # headings and furniture
_PLAIN_BLOCKS = _BLOCKS - _PARTS

_MARK = "\ue000{}\ue001"  # stands where heading number {} was: private use, so it means nothing on a page
_MARKED = re.compile(_MARK.format("([0-9]{1,7})"))


def words(node: LexborNode) -> str:
    """What an element says, on one line; blocks in it part words, as they do everywhere."""
    child = node.first_child
    if child is not None and child.next is None and (text := child.text_content) is not None:
        return " ".join(text.split())
    for inner in islice(node.traverse(), 1, MAX_INSIDE):
        if inner.tag_id in _BLOCKS and not _is_parted(inner):
            inner.insert_before(BLOCK)
            inner.insert_after(BLOCK)
    return " ".join(node.text().split())


def _is_parted(block: LexborNode) -> bool:
    """Whether words() was here before: a link may be in a link, by way of a table."""
    after = block.next
    return after is not None and after.text_content == BLOCK


def read_sections(tree: LexborHTMLParser) -> tuple[Section, ...]:
    """The sections of the main part, or of the body if that is missing or empty. Takes the tree apart."""
    for root in (tree.css_first("main,[role=main]"), tree.body):
        if root is not None:
            sections = _cut(root)
            if any(section.heading or section.text for section in sections):
                return sections
    return (Section("", "", ""),)


def _cut(root: LexborNode) -> tuple[Section, ...]:
    """Leave nothing but blocks and their text, and cut that at the headings."""
    _take_out_odd_furniture(root)
    others = [node for node in islice(root.traverse(), 1, None) if node.tag_id not in _PLAIN_BLOCKS]
    headings = _mark_headings([node for node in others if node.tag_id in _PARTS])
    for node in others:  # from the outside in, so that no text moves twice
        if node.tag_id not in _PARTS:
            node.unwrap(delete_empty=True)
    root.merge_text_nodes()
    first, *rest = _MARKED.split(root.text(separator=BLOCK, skip_empty=True)[:MAX_TEXT])
    sections = [Section("", "", _lines(first))]
    for number, text in zip(rest[::2], rest[1::2], strict=True):
        sections.append(Section(*headings.get(int(number), ("", "")), _lines(text)))
    return tuple(sections)


def _take_out_odd_furniture(root: LexborNode) -> None:
    """Take out what an attribute hides, or makes furniture. A heading that is seen counts as one."""
    nodes = {node.mem_id: node for node in root.css(_ODD)}  # css() may repeat itself
    nodes.pop(root.mem_id, None)
    for node in reversed(nodes.values()):
        attributes = node.attributes
        kind, role = attributes.get("class") or "", attributes.get("role")
        furniture = (role == "navigation" or "headerlink" in kind) and node.tag not in _HEADINGS
        if furniture or hidden.unseen(node, attributes):
            _take_out(node)


def _mark_headings(parts: list[LexborNode]) -> dict[int, tuple[str, str]]:
    """Put a mark in each heading's place and take the furniture out; the headings and fragments by number."""
    wanted = {node.mem_id for node in islice((node for node in parts if node.tag in _HEADINGS), MAX_SECTIONS)}
    headings: dict[int, tuple[str, str]] = {}
    # Backwards, so that what is inside another element goes before it, and nothing goes twice.
    for number, node in enumerate(reversed(parts)):
        if node.mem_id in wanted:
            heading = " ".join(_MARKED.sub(" ", words(node)).split())
            headings[number] = heading.removesuffix("¶"), _fragment(node)
            node.replace_with(_MARK.format(number))
        elif _is_furniture(node):
            _take_out(node)
    return headings


def _take_out(node: LexborNode) -> None:
    """Leave of an element that it parted words, if it did."""
    node.replace_with(BLOCK if node.tag_id in _BLOCKS else "")


def _is_furniture(node: LexborNode) -> bool:
    """Whether an element that may be furniture is."""
    tag = node.tag
    if tag in ("header", "footer"):
        return not any(above.tag in _SECTIONING for above in _ancestors(node))
    if tag == "button":  # one in a heading unfolds what is under it and bears its name
        return not any(above.tag in _HEADINGS for above in _ancestors(node))
    return tag not in _HEADINGS


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
    fragment = heading.id or _fragment_around(heading)
    return fragment if len(fragment) <= MAX_FRAGMENT else ""


def _fragment_around(heading: LexborNode) -> str:
    inner = next(heading.iter(), None)  # most have none, and a search costs more than the rest of this
    named = heading.css_first("[id],a[name]") if inner is not None else None
    before, around = heading.prev, heading.parent
    if before is not None and before.tag == "-text" and not before.text().strip():
        before = before.prev
    if named is None and before is not None and before.tag == "a":
        named = before
    if named is None and around is not None and (before is None or around.tag in _SECTIONING):
        named = around
    attributes = named.attributes if named is not None else {}
    return attributes.get("id") or attributes.get("name") or ""


def _lines(text: str) -> str:
    """The text with a line for each block and single spaces."""
    return "\n".join([" ".join(line) for line in map(str.split, text.split(BLOCK)) if line])
