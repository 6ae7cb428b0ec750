"""Prunes what stands beside the running text of a page, and between its paragraphs, by structure.

Classes say little where programs make them, so this looks at what a box is made of: links, cards that repeat
themselves, a form, the names of authors and tags. A box of the same kind as one around the running text is
never pruned for its place: posts of a forum, answers to a question, sections of a manual are what people come
for. Comments below an article are not: they are many, and few of them are about it; they can be found, but
do not describe the page. Captions and credits of pictures are not, either, on pages that are dated.
"""

from collections.abc import Iterable
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.text.html.box_contents import HEADLINE, MAX_CHILDREN, RUN, BoxContents, is_leaf
from engine.text.html.elements import BLOCKS, HEADINGS, Kind, is_within, kind_of, remove_element, tag_ids
from engine.text.html.running_text import LONG, RunningText, find_part

MAX_DEPTH = 12  # elements in elements that are pruned
MAX_PARTS = 300  # boxes that hold the text together, as posts of a forum do
LINKED_SHARE = 0.5  # of the characters of a box: with more it is there for its links
LINKED_BEHIND = 0.33  # the same, of one behind the text
LINKED_LIST = 0.75  # the same, of a list or table of links between paragraphs
LINKED_ONLY = 0.9  # the same, of a heading or a list with one link: a way to another page
LABELLED_SHARE = 0.6  # the same, of a paragraph: a link with a label before it
LABEL = 60  # characters of a box that is no paragraph
BEHIND = 200  # characters of a box behind the text that goes on with it

_LISTS = tag_ids("ul ol dl")
_TABLE = tag_ids("table")
_PARAGRAPHS = tag_ids("p blockquote pre")
_WHOLE = HEADINGS | _PARAGRAPHS | _LISTS | _TABLE  # what is not looked into
_PARTS_OF_LISTS = tag_ids("li dd dt")
_NOT_PLAIN = "a,h2,h3,h4,h5,h6,li,p + p,div + div"  # what a box around one paragraph has not
_QUOTED = "pre,blockquote,math"  # what a text may end with
_WORKS = "h2,h3,h4,p,pre,code,blockquote,ul,ol,dl,table,math"  # what makes a box more than a label
_HEADLINES = "h1,h2,h3,h4,h5,h6"


class Pruning:
    """The pruning of one page, which is dated, as news and posts are; `pieces` are what was removed."""

    def __init__(self, contents: BoxContents, title: LexborNode | None) -> None:
        """`title` is the heading of the whole text."""
        self.pieces: list[LexborNode] = []
        self._contents = contents
        self._prose = contents.prose
        self._title = title
        self._parts = 0

    def prune(self, text: RunningText, root: LexborNode) -> None:
        """Prunes what stands between the paragraphs of a running text, and around it, up to `root`."""
        if text.boxes is None:
            self._prune_between(text.holder, 0)
        else:
            self._prune_beside(text.holder, None, text.boxes)
        self._prune_around(text.holder, root)

    def _remove(self, node: LexborNode) -> None:
        remove_element(node)
        self.pieces.append(node)

    # What stands beside the text

    def _prune_around(self, text: LexborNode, root: LexborNode) -> None:
        inner, above = text, text.parent
        while inner.mem_id != root.mem_id and above is not None:
            self._prune_beside(above, inner, kind_of(inner))
            inner, above = above, above.parent

    def _prune_beside(self, above: LexborNode, inner: LexborNode | None, kind: Kind) -> None:
        """Prunes what stands in an element beside the part with the text, or beside those of a kind."""
        nodes = [node for node in islice(above.iter(), MAX_CHILDREN) if self._prose.size(node)]
        parts = [
            number
            for number, node in enumerate(nodes)
            if (inner is not None and node.mem_id == inner.mem_id) or self._is_same_kind(node, kind, inner)
        ]
        first, last = (parts[0], parts[-1]) if parts else (len(nodes), len(nodes))
        self._prune_before(above, nodes[:first])
        for number in parts:
            if inner is None or nodes[number].mem_id != inner.mem_id:
                self._prune_part(nodes[number])
        for node in nodes[first:last]:
            if kind_of(node) != kind and self._is_insert(node):
                self._remove(node)
        self._prune_behind(nodes[last + 1 :])

    def _prune_before(self, above: LexborNode, nodes: Iterable[LexborNode]) -> None:
        is_titled = self._title is None or not is_within(self._title, above)
        for node in nodes:
            if self._holds_title(node):
                is_titled = True
                if node.tag_id not in HEADINGS:
                    self._prune_lead(node, 0)
            elif not self._is_lead(node, is_titled):
                self._remove(node)

    def _prune_behind(self, nodes: Iterable[LexborNode]) -> None:
        headings: list[LexborNode] = []  # of what may follow
        for node in nodes:
            if node.tag_id in HEADINGS:
                headings.append(node)
            elif self._continues_text(node):
                headings = []
            else:
                for heading in [*headings, node]:
                    self._remove(heading)
                headings = []
        for heading in headings:
            self._remove(heading)

    def _is_same_kind(self, node: LexborNode, kind: Kind, inner: LexborNode | None) -> bool:
        """Tells whether a box is of the kind of that with the text, and no card of another page."""
        size = self._prose.unlinked_size(node)
        if size < LONG or kind_of(node) != kind or self._contents.is_full_of_links(node, LINKED_SHARE):
            return False
        return (
            inner is None or 2 * size >= self._prose.unlinked_size(inner) or not self._contents.is_card(node)
        )

    def _prune_part(self, node: LexborNode) -> None:
        """Prunes one of the boxes that hold the text together."""
        self._parts += 1
        text = find_part(node, self._prose) if self._parts <= MAX_PARTS else None
        if text is not None:
            self._prune_between(text.holder, 0)
            self._prune_around(text.holder, node)

    def _continues_text(self, node: LexborNode) -> bool:
        """Tells whether what stands behind the text goes on with it."""
        size = self._prose.unlinked_size(node)
        if self._contents.is_boilerplate(node, LINKED_BEHIND):
            return False
        is_plain = node.tag_id in BLOCKS and (is_leaf(node) or node.css_first(_NOT_PLAIN) is None)
        if is_plain or node.tag_id in _PARAGRAPHS:
            return size >= 2 * LONG
        if node.css_first(_QUOTED) is not None and not self._contents.find_run(node):
            return True
        if node.tag_id not in BLOCKS or size < BEHIND or self._contents.find_run(node):
            return False
        paragraphs = (self._prose.unlinked_size(one) for one in node.css("p,div,li,td")[:MAX_CHILDREN])
        if sum(one for one in paragraphs if one >= 2 * LONG) < BEHIND:
            return False
        self._prune_between(node, 0)
        return True

    def _is_lead(self, node: LexborNode, is_titled: bool) -> bool:
        """Tells whether what stands before the text leads to it: a heading, or prose behind the title."""
        size, contents = self._prose.unlinked_size(node), self._contents
        is_heading = node.tag_id in HEADINGS
        if contents.is_boilerplate(node, LINKED_SHARE) or (not is_heading and contents.is_dateline(node)):
            return False
        if not is_titled:
            return size >= BEHIND and not contents.find_run(node)
        if is_heading or node.tag_id not in BLOCKS:
            return True
        if contents.is_caption(node) or not (size >= LONG or contents.is_sentence(node)):
            return False
        if node.tag_id not in _PARAGRAPHS:
            self._prune_lead(node, 0)
        return True

    def _prune_lead(self, box: LexborNode, depth: int) -> None:
        """Prunes dates, names and labels beside a title."""
        contents = self._contents
        for node in list(islice(box.iter(), MAX_CHILDREN)):
            if node.tag_id in HEADINGS or not self._prose.size(node) or node.tag_id not in BLOCKS:
                continue
            is_prose = self._prose.unlinked_size(node) >= LONG or contents.is_sentence(node)
            if node.css_first(_HEADLINES) is not None and depth < MAX_DEPTH:
                self._prune_lead(node, depth + 1)
            elif (
                not is_prose
                or contents.is_boilerplate(node, LINKED_SHARE)
                or contents.is_caption(node)
                or contents.is_dateline(node)
            ):
                self._remove(node)

    # What stands between the paragraphs

    def _prune_between(self, box: LexborNode, depth: int) -> None:
        nodes = [node for node in islice(box.iter(), MAX_CHILDREN) if self._prose.size(node)]
        long = [number for number, node in enumerate(nodes) if depth == 0 and self._is_paragraph(node)]
        before: LexborNode | None = None  # the heading just before a block
        for number, node in enumerate(nodes):
            if node.tag_id not in BLOCKS:
                continue
            heading, before = before, node if node.tag_id in HEADINGS else None
            is_first, is_last = bool(long) and number < long[0], bool(long) and number > long[-1]
            if self._is_insert(node) or self._is_at_an_end(node, is_first, is_last):
                if heading is not None and (is_last or self._prose.links.get(node.mem_id, 0) >= RUN):
                    self._remove(heading)
                self._remove(node)
                before = None
            elif node.tag_id not in _WHOLE and depth < MAX_DEPTH:
                self._prune_between(node, depth + 1)

    def _is_paragraph(self, node: LexborNode) -> bool:
        if node.tag_id not in BLOCKS or self._prose.unlinked_size(node) < 2 * LONG:
            return False
        return node.tag_id in _PARAGRAPHS or is_leaf(node)

    def _is_at_an_end(self, node: LexborNode, is_first: bool, is_last: bool) -> bool:
        """Tells whether a block has the date before the first long paragraph, or is another text."""
        if node.tag_id in HEADINGS:
            return False
        if is_first:
            return self._contents.is_dateline(node)
        return is_last and node.tag_id not in _WHOLE and bool(self._contents.find_run(node))

    def _is_insert(self, node: LexborNode) -> bool:
        """Tells whether a block between paragraphs is none of them."""
        tag, prose, contents = node.tag_id, self._prose, self._contents
        if tag in HEADINGS:
            return contents.is_full_of_links(node, LINKED_ONLY) and self._repeats_title(node)
        if tag in _PARAGRAPHS:
            is_label = prose.linked.get(node.mem_id, 0) >= HEADLINE and prose.unlinked_size(node) < LONG
            is_label = is_label and contents.is_full_of_links(node, LABELLED_SHARE)
            return is_label or contents.is_metadata(node)
        if tag in _LISTS | _TABLE:
            many = prose.links.get(node.mem_id, 0) >= RUN
            return contents.is_full_of_links(node, LINKED_LIST if many else LINKED_ONLY)
        if contents.is_caption(node) or contents.is_boilerplate(node, LINKED_SHARE):
            return True
        return prose.size(node) < LABEL and tag not in _PARTS_OF_LISTS and node.css_first(_WORKS) is None

    def _holds_title(self, node: LexborNode) -> bool:
        title = self._title
        return title is not None and (node.mem_id == title.mem_id or is_within(title, node))

    def _repeats_title(self, heading: LexborNode) -> bool:
        """Tells whether a heading is that of the page once more, as posts of a forum have."""
        title = self._title
        if title is None or heading.mem_id == title.mem_id:
            return False
        return " ".join(title.text().split()) in " ".join(heading.text().split())
