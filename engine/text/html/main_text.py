"""Finds the element that holds a page's main text: by class names, by words outside links."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.text.html.boxes import MAX_MEASURED, MAX_PARTS, Box, text_length
from engine.text.html.element_roles import ElementRole
from engine.text.html.elements import (
    BLOCKS,
    BOXES,
    Kind,
    ancestors,
    is_within,
    kind_of,
    remove_element,
    tag_ids,
)

MAIN_SHARE = 0.5  # of a page's prose: what has less is not its main text
DEEPER_SHARE = 0.9  # of an element's prose: a child with more replaces it
TALK_SHARE = 0.5  # of the text: with more, people come for what readers write, as to a forum
SECTION = 80  # characters outside links; what has more under a heading is a section of the text
SECTION_LINKS = 0.33  # of its characters; with more it is there for its links
ENOUGH_PROSE = 500  # characters; a text that long stands without its readers' comments
FEWEST_LINKS = 3  # that make a list of links
LINKS_SHARE = 0.66  # of the characters of such a list
SPARSE_SHARE = 0.4  # the same, when next to nothing stands between the links:
SPARSE = 12  # characters a link
INDEX_SHARE = 0.6  # a page with more of its text in links is there for its links
MAX_NAMED = 64  # elements named as if they held the main text
MAX_LINKS = 5_000  # of a page that are looked at
MAX_DEPTH = 64  # elements around a link that are looked at
MAX_NOTICE = 300  # characters of a copyright notice

TITLE_SHARE = 0.3  # of the characters of a title: a heading with more of it is the page's, not the site's
OWN_SHARE = 0.5  # the same, of one that may be a link

_H1 = tag_ids("h1")
_MENUS = tag_ids("nav aside footer")
_ITEMS = tag_ids("p li tr td th")
_HOLDERS = tag_ids("div section table tbody tr td center article main form")
_NEVER = tag_ids("pre body h1 h2 h3 h4 h5 h6 dd dt")
_PRUNED = BLOCKS - _NEVER
_NOTICE = re.compile(
    r"\s*(?:©|\(c\)\s*\d{4}|copyright\b|powered by\b)|.*\ball rights reserved\b", re.IGNORECASE | re.DOTALL
)
_NOTICES = "p,div,center,small,td,address,span,li,font"


class ProseSizes:
    """How much of the elements of a page is prose: text that is no link.

    Elements in elements are measured again and again; after MAX_MEASURED what is new has size 0.
    """

    def __init__(self, body: LexborNode) -> None:
        self.linked: dict[int, int] = {}  # characters of links in an element, by its address
        self.links: dict[int, int] = {}
        self.holders: dict[int, LexborNode] = {}  # elements that have links in them
        self._around: dict[int, tuple[int, ...]] = {}  # an element and those around it
        self._sizes: dict[int, int] = {}
        self._left = MAX_MEASURED
        for link in body.css("a")[:MAX_LINKS]:
            self._add(link, text_length(link))

    def _add(self, link: LexborNode, characters: int) -> None:
        for key in self._find_around(link):
            self.linked[key] = self.linked.get(key, 0) + characters
            self.links[key] = self.links.get(key, 0) + 1

    def _find_around(self, link: LexborNode) -> Sequence[int]:
        """Finds the elements around a link, the nearest first; a walk ends where one before it went."""
        above, met = link.parent, list[LexborNode]()
        while above is not None and above.mem_id not in self._around and len(met) < MAX_DEPTH:
            met.append(above)
            above = above.parent
        around = () if above is None else self._around.get(above.mem_id, ())
        self.holders.update((node.mem_id, node) for node in met)
        for node in reversed(met):
            around = self._around[node.mem_id] = (node.mem_id, *around)[:MAX_DEPTH]
        return around

    def size(self, node: LexborNode) -> int:
        """Counts the characters of an element, without white space."""
        key = node.mem_id
        if key not in self._sizes:
            self._sizes[key] = text_length(node) if self._left > 0 else 0
            self._left -= self._sizes[key]
        return self._sizes[key]

    def unlinked_size(self, node: LexborNode) -> int:
        """Counts the characters outside links."""
        return self.size(node) - self.linked.get(node.mem_id, 0)

    def holders_of_several(self) -> list[LexborNode]:
        """Returns the elements that have as many links in them as a list has."""
        return [holder for key, holder in self.holders.items() if self.links[key] >= FEWEST_LINKS]

    def is_list_of_links(self, node: LexborNode) -> bool:
        """Tells whether an element has almost no text outside links."""
        links = self.links.get(node.mem_id, 0)
        if links < FEWEST_LINKS or not self.size(node):
            return False
        share = self.linked[node.mem_id] / self.size(node)
        if node.tag_id in _ITEMS:  # a sentence may have many links
            return share >= LINKS_SHARE
        return share >= LINKS_SHARE or (share >= SPARSE_SHARE and self.unlinked_size(node) < SPARSE * links)


def prose_length(root: LexborNode) -> int:
    """Counts the characters of an element outside links, without what ProseSizes knows of those in it."""
    return text_length(root) - sum(map(text_length, root.css("a")[:MAX_LINKS]))


def choose_main_element(body: LexborNode, boxes: Iterable[Box], prose: ProseSizes) -> LexborNode:
    """Chooses the smallest element with most of the prose of a page, the body if there is none.

    Of a page that is there for its links, its text counts instead.
    """
    content = [node for node, part in boxes if part is ElementRole.CONTENT][:MAX_NAMED]
    content = [node for node in content if is_within(node, body)]
    root = _find_smallest(body, content, prose, prose.unlinked_size)
    while deeper := _descend(root, prose):
        root = deeper
    if prose.unlinked_size(root) < ENOUGH_PROSE and _is_index(body, prose):
        return _find_smallest(body, content, prose, prose.size)
    return root


def find_title(headings: Iterable[LexborNode], root: LexborNode, title: str) -> LexborNode | None:
    """Finds the heading of a page: the longest that stands in its title, or else its only H1.

    A short one that leads elsewhere is the name of the site.
    """
    best, most, wanted = None, TITLE_SHARE * len(title), title.casefold()
    first: list[LexborNode] = []
    for node in islice(headings, MAX_NAMED):
        if not is_within(node, root):
            continue
        leads_away = node.css_first("a[href]:not([href^='#'])") is not None
        text = " ".join(node.text().casefold().split())
        if node.tag_id in _H1 and not leads_away:
            first.append(node)
            if wanted and wanted in text:
                return node
        if len(text) > max(most, OWN_SHARE * len(title) if leads_away else 0) and text in wanted:
            best, most = node, len(text)
    is_sure = best is not None and most >= OWN_SHARE * len(title)
    return first[0] if len(first) == 1 and not is_sure else best


def include_title(chosen: LexborNode, title: LexborNode | None) -> LexborNode:
    """Returns the smallest element around the main one that has the title, too."""
    if title is None or is_within(title, chosen):
        return chosen
    return next((above for above in ancestors(title) if is_within(chosen, above)), chosen)


def bring_title(root: LexborNode, body: LexborNode) -> None:
    """Brings the only H1 of a page into its main element, with the box around it if that is small."""
    first = root.first_child
    if first is None or root.css_first("h1") is not None:
        return
    titles = [title for title in body.css("h1")[:MAX_NAMED] if title.css_first("a[href]") is None]
    if len(titles) != 1 or any(above.tag_id in _MENUS for above in ancestors(titles[0])):
        return
    title, box = titles[0], titles[0].parent
    if box is not None and box.tag_id in BOXES and not is_within(root, box) and _is_lead(box):
        title = box
    first.insert_before(title)  # a copy of it
    title.decompose()


def _is_lead(box: LexborNode) -> bool:
    return box.css_first("a,li,form") is None and text_length(box) < ENOUGH_PROSE


def keep_title(chosen: LexborNode, root: LexborNode, title: LexborNode | None) -> list[LexborNode]:
    """Removes what stands around the main element, up to `root`, but for the title and the prose below it.

    That stands nowhere else on the page: it says what a command does, or what an article is about.
    """
    removed = []
    inner, above, is_titled = chosen, chosen.parent, False
    while title is not None and inner.mem_id != root.mem_id and above is not None:
        for node in list(above.iter()):
            if node.mem_id == title.mem_id or is_within(title, node):
                is_titled = True
            elif node.mem_id == inner.mem_id:
                is_titled = False
            elif not is_titled or node.css_first("a,li") is not None:
                remove_element(node)
                removed.append(node)
        inner, above = above, above.parent
    return removed


def _find_smallest(
    body: LexborNode, candidates: list[LexborNode], prose: ProseSizes, amount: Callable[[LexborNode], int]
) -> LexborNode:
    """Finds the smallest of some elements that has enough of an amount, the body if there is none."""
    wanted = max(amount(body) * MAIN_SHARE, 1)
    return min((node for node in candidates if amount(node) >= wanted), key=prose.size, default=body)


def _is_index(root: LexborNode, prose: ProseSizes) -> bool:
    """Tells whether a page, or a part of it, is there for its links."""
    return prose.linked.get(root.mem_id, 0) > INDEX_SHARE * prose.size(root)


def _descend(node: LexborNode, prose: ProseSizes) -> LexborNode | None:
    """Finds the child that can replace an element: most of its prose, and no title beside it."""
    children = [child for child in node.iter() if child.tag_id in BLOCKS]
    best = max(children, key=prose.unlinked_size, default=None)
    if best is None or best.tag_id not in _HOLDERS:
        return None
    if prose.unlinked_size(best) < max(DEEPER_SHARE * prose.unlinked_size(node), 1):
        return None
    kind, others = kind_of(best), [child for child in children if child.mem_id != best.mem_id]
    return None if any(_is_section(child, kind, prose) for child in others) else best


def _is_section(node: LexborNode, kind: Kind, prose: ProseSizes) -> bool:
    """Tells whether an element has the title of a page, or is of this kind and has prose under a heading."""
    if node.css_first("h1") is not None:
        return True
    if kind_of(node) != kind:
        return False
    linked = prose.linked.get(node.mem_id, 0)
    is_prose = prose.unlinked_size(node) >= SECTION and linked < SECTION_LINKS * prose.size(node)
    return is_prose and node.css_first("h2,h3,h4,h5,h6") is not None


def remove_link_lists(root: LexborNode, prose: ProseSizes) -> list[LexborNode]:
    """Removes link lists, unless they are the main content."""
    if _is_index(root, prose):
        return []
    around = [holder for holder in prose.holders_of_several() if holder.tag_id in _PRUNED]
    around.sort(key=lambda holder: -prose.size(holder))
    found: dict[int, LexborNode] = {}
    for holder in around:
        if holder.mem_id == root.mem_id or not prose.is_list_of_links(holder):
            continue
        if is_within(holder, root) and not any(above.mem_id in found for above in ancestors(holder)):
            found[holder.mem_id] = holder
    if prose.unlinked_size(root) < ENOUGH_PROSE and 2 * sum(map(prose.size, found.values())) > prose.size(
        root
    ):
        return []
    for holder in found.values():
        remove_element(holder)
    return list(found.values())


def find_comments(boxes: Iterable[Box]) -> list[LexborNode]:
    """Finds the boxes of what readers have written."""
    return [node for node, part in boxes if part is ElementRole.TALK][:MAX_PARTS]


def remove_comments(root: LexborNode, boxes: Iterable[Box]) -> list[LexborNode]:
    """Removes what readers have written below a text, unless it is what people come for."""
    outer = _select_outermost([node for node in find_comments(boxes) if is_within(node, root)])
    if not outer:
        return []
    length, whole_length = sum(map(text_length, outer)), text_length(root)
    if length > TALK_SHARE * whole_length and whole_length - length < ENOUGH_PROSE:
        return []
    for node in outer:
        remove_element(node)
    return outer


def _select_outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Selects those that stand in no other of them; they come in the order of the page."""
    found: dict[int, LexborNode] = {}
    for node in nodes:
        if not any(above.mem_id in found for above in ancestors(node)):
            found[node.mem_id] = node
    return list(found.values())


def remove_copyright_notice(root: LexborNode) -> list[LexborNode]:
    """Removes the copyright notice at the end of a page."""
    text = root.text()
    if "©" not in text and "opyright" not in text and "owered by" not in text:
        return []
    for node in reversed(root.css(_NOTICES)):
        notice = node.text()
        if len(notice) <= MAX_NOTICE and _NOTICE.match(notice):
            remove_element(node)
            return [node]
    return []
