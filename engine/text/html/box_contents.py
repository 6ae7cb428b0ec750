"""Tells what a box is made of: links, cards that repeat themselves, a form, the names of authors and tags."""

from collections.abc import Collection, Iterable
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.text.html.dates import WRITTEN_DATE
from engine.text.html.elements import BLOCKS, HEADINGS, Kind, kind_of, tag_ids
from engine.text.html.main_text import ENOUGH_PROSE, ProseSizes

MAX_CHILDREN = 2_000  # of an element that are looked at
LINKED_CARD = 0.25  # of the characters of a card: with more it is there for its links
CARD = 400  # characters outside links; a card has fewer
MAX_CARD_LINKS = 20
HEADLINE = 15  # characters of a link that is one
RUN = 2  # cards or comments that make a run
RUN_SHARE = 0.5  # of a box, which is then a run
RUN_DEPTH = 4  # elements around a run, and around the control of a form
CAPTION = 300  # characters; a caption has fewer
NOTE = 120  # characters; what names an author or a date and is as short is about the text

_FIGURE = tag_ids("figure")
_FORM = tag_ids("form")
_CONTROLS = tag_ids("input select textarea")
_NO_ITEMS = HEADINGS | tag_ids("p blockquote pre br hr img a span b i strong em dt dd")
_STOPS = frozenset(".!?…。！？؟।")
_CARD_SIGNS = "img,picture,a :is(h2,h3,h4,h5),:is(h2,h3,h4,h5) a"
_PICTURE = "img,picture,video"
_METADATA = "time,[rel~=author],[rel~=tag],[itemprop=author],[itemprop=datePublished],address"


class BoxContents:
    """What the boxes of one page are made of."""

    def __init__(self, prose: ProseSizes, controls: Collection[int]) -> None:
        """`controls` are the elements around controls of forms."""
        self.prose = prose
        self._controls = controls

    def is_boilerplate(self, node: LexborNode, share: float) -> bool:
        """Tells whether a box is none of the text, as one is with this share of links."""
        return (
            self.is_full_of_links(node, share)
            or self._is_form(node)
            or self._is_run_of_cards(node)
            or self.is_metadata(node)
        )

    def is_full_of_links(self, node: LexborNode, share: float) -> bool:
        """Tells whether links have at least that share of the characters of a box."""
        return self.prose.linked.get(node.mem_id, 0) >= share * self.prose.size(node)

    def is_metadata(self, node: LexborNode) -> bool:
        """Tells whether a box is short and says whose the text is, or what it is about."""
        return self.prose.unlinked_size(node) < NOTE and node.css_first(_METADATA) is not None

    def is_dateline(self, node: LexborNode) -> bool:
        """Tells whether a box is short and says when the text was written, not what follows."""
        if self.prose.unlinked_size(node) >= NOTE:
            return False
        text = node.text()
        return WRITTEN_DATE.search(text) is not None and not text.rstrip().endswith(":")

    def is_caption(self, node: LexborNode) -> bool:
        """Tells whether a box is a picture with a few words about it."""
        is_short = self.prose.size(node) < CAPTION
        return is_short and (node.tag_id in _FIGURE or node.css_first(_PICTURE) is not None)

    def is_sentence(self, node: LexborNode) -> bool:
        """Tells whether the text of a box ends as sentences do, and labels do not."""
        return node.text().rstrip()[-1:] in _STOPS

    def is_card(self, node: LexborNode) -> bool:
        """Tells whether a box is about another page: short, and begins with a headline that leads there."""
        prose = self.prose
        if prose.unlinked_size(node) >= CARD or not 0 < prose.links.get(node.mem_id, 0) <= MAX_CARD_LINKS:
            return False
        links = [link for link in node.css("a[href]") if _leads_away(link)]
        if all(2 * prose.size(link) < HEADLINE for link in links):
            return False
        return (
            self.is_full_of_links(node, LINKED_CARD)
            or node.css_first(_CARD_SIGNS) is not None
            or node.text().lstrip().startswith(links[0].text().strip())
        )

    def find_run(self, node: LexborNode) -> list[LexborNode]:
        """Finds the boxes of one kind that make up most of a box, or of the largest box in it."""
        whole = self.prose.size(node)
        box: LexborNode | None = node
        for _ in range(RUN_DEPTH):
            if box is None or 2 * self.prose.size(box) < whole:
                break
            children = [child for child in islice(box.iter(), MAX_CHILDREN) if self.prose.size(child)]
            items = (child for child in children if child.tag_id not in _NO_ITEMS and not is_leaf(child))
            run = _select_most_frequent(items)
            if len(run) >= RUN and sum(map(self.prose.size, run)) >= RUN_SHARE * whole:
                return run
            box = max(children, key=self.prose.size, default=None)
        return []

    def _is_run_of_cards(self, node: LexborNode) -> bool:
        run = self.find_run(node)
        return bool(run) and all(map(self.is_card, run))

    def _is_form(self, node: LexborNode) -> bool:
        """Tells whether a box is there to be filled in."""
        is_form = node.mem_id in self._controls or node.tag_id in _FORM
        return is_form and self.prose.unlinked_size(node) < ENOUGH_PROSE


def find_controls(unread: Iterable[LexborNode]) -> frozenset[int]:
    """Finds the elements around the controls of forms, some levels up."""
    found = set()
    for node in unread:
        above = node.parent if node.tag_id in _CONTROLS else None
        for _ in range(RUN_DEPTH):
            if above is None:
                break
            found.add(above.mem_id)
            above = above.parent
    return frozenset(found)


def is_leaf(node: LexborNode) -> bool:
    """Tells whether a box has no block in it: it is a paragraph, or an item of a list."""
    return all(child.tag_id not in BLOCKS for child in node.iter())


def _select_most_frequent(nodes: Iterable[LexborNode]) -> list[LexborNode]:
    """Selects the nodes of the most frequent kind."""
    kinds: dict[Kind, list[LexborNode]] = {}
    for node in nodes:
        kinds.setdefault(kind_of(node), []).append(node)
    return max(kinds.values(), key=len, default=[])


def _leads_away(link: LexborNode) -> bool:
    return not (link.attributes.get("href") or "#").startswith("#")
