"""Puts the text of web components where a browser shows it: open shadow trees, with their slots filled.

A page declares them in TEMPLATE elements (HTML, 4.12.3), and engine.render writes those that scripts attached
likewise. All other templates are shown to nobody, and closed shadow trees are for their scripts alone. The
result is HTML again, as the parser copies what it moves: components in components would cost their square.
"""

import re
from collections import deque

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from engine.text.html.elements import tag_ids
from engine.text.html.hostile import disarm

MAX_TREES = 10_000  # of a page; what is in more stays unread
_SIGN = b"shadowrootmode"
# What may have a shadow tree, besides custom elements (DOM, 4.9, attachShadow).
_HOSTS = tag_ids("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span")
_NO_CHARACTER = "\ufdd0"  # Unicode, 23.7
_MARK = re.compile(f"{_NO_CHARACTER}([0-9]+){_NO_CHARACTER}")

Piece = str | LexborNode


class PagePieces:
    """Pieces of a page that were cut out, each to be put back once, elsewhere."""

    def __init__(self) -> None:
        self._pieces: list[Piece | None] = []

    def add(self, piece: Piece) -> str:
        """Keeps a piece; returns the text that stands for it in the page."""
        self._pieces.append(piece)
        return f"{_NO_CHARACTER}{len(self._pieces) - 1}{_NO_CHARACTER}"

    def join(self, html: str) -> str:
        """Puts the pieces into a page, and into each other."""
        found, waiting = list[str](), [iter(_MARK.split(html))]
        while waiting:
            found.append(next(waiting[-1]))
            number = next(waiting[-1], None)
            if number is None:
                waiting.pop()
            else:
                waiting.append(iter(_MARK.split(self._take(int(number[:9])))))
        return "".join(found)

    def _take(self, number: int) -> str:
        if number >= len(self._pieces):  # the page has written a mark
            return ""
        piece, self._pieces[number] = self._pieces[number], None
        return piece if isinstance(piece, str) else _inner_html(piece) if piece else ""


def flatten_shadow_trees(source: bytes) -> bytes:
    """Puts open shadow trees of a page into their hosts, and the hosts' children into their slots.

    Pages without shadow trees are returned as they are.
    """
    if _SIGN not in source and _SIGN not in source.lower():
        return source
    tree = LexborHTMLParser(disarm(source), options=LexborDocumentOptions.WO_EVENTS.value)
    pieces, left = PagePieces(), MAX_TREES
    waiting = deque([tree.template_fragments()])
    while waiting and left > 0:
        roots = _select_shadow_roots(waiting.popleft())[:left]
        left -= len(roots)
        for host, template, root in reversed(roots):  # what is in a host goes before it
            _fill_slots(host, template, root, pieces)
            # Hosts stand side by side without white space: what parts them is their style.
            template.replace_with(f" {pieces.add(root)} ")
        waiting.extend(root.template_fragments() for _, _, root in roots)
    return pieces.join(tree.html or "").encode("utf-8", "replace")


def _select_shadow_roots(fragments: list[LexborNode]) -> list[tuple[LexborNode, LexborNode, LexborNode]]:
    """Selects those contents of templates that are shadow trees: host, template and content of each."""
    found = dict[int, tuple[LexborNode, LexborNode, LexborNode]]()
    for root in fragments:
        template = root.parent
        host = template.parent if template else None
        if template and host and _is_open(template) and _may_host(host):
            found.setdefault(host.mem_id, (host, template, root))  # of a host's templates the first
    return list(found.values())


def _is_open(template: LexborNode) -> bool:
    return (template.attributes.get("shadowrootmode") or "").lower() == "open"


def _may_host(element: LexborNode) -> bool:
    # What is no element has a name such as -text.
    return element.tag_id in _HOSTS or "-" in (element.tag or "").lstrip("-")


def _fill_slots(host: LexborNode, template: LexborNode, root: LexborNode, pieces: PagePieces) -> None:
    """Puts the children of a host into the slots of its shadow tree, those without a slot nowhere."""
    children = dict[str, list[str]]()
    for child in list(host.iter(include_text=True)):
        if child.mem_id != template.mem_id:
            children.setdefault(_read_attribute(child, "slot"), []).append(child.html or "")
            child.decompose()
    for slot in root.css("slot"):  # of several of a name the first has all (DOM, 4.2.2.3)
        if given := children.pop(_read_attribute(slot, "name"), None):
            for otherwise in list(slot.iter(include_text=True)):  # what it shows where nothing is given
                otherwise.decompose()
            slot.insert_child(pieces.add("".join(given)))


def _read_attribute(node: LexborNode, name: str) -> str:
    return (node.attributes.get(name) or "") if node.is_element_node else ""


def _inner_html(root: LexborNode) -> str:
    return "".join(node.html or "" for node in root.iter(include_text=True))
