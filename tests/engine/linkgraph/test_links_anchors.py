"""Which words of links are kept for the page that they lead to."""

from engine.linkgraph import Anchor, LinkGraph
from engine.model.page import Link
from tests.engine.linkgraph.test_links import TARGET, inlinks, replace


def test_links_without_words_have_no_anchor_text(graph: LinkGraph) -> None:
    """A picture without a text counts as a link, and says nothing."""
    replace(graph, [(f"http://h{n}.example/", [Link(TARGET, " ")]) for n in range(3)])
    assert graph.anchors([TARGET]) == {TARGET: []}
    replace(graph, [("http://one.example/", [Link(TARGET, "said")])])
    assert graph.anchors([TARGET]) == {TARGET: [Anchor("said", 1)]}
    assert inlinks(graph).pages == 4


def test_anchor_texts_of_most_voters_come_first(graph: LinkGraph) -> None:
    replace(graph, [(f"http://h{n}.example/", [Link(TARGET, "  many\n voters ")]) for n in range(3)])
    replace(graph, [(f"http://one.example/{n}", [Link(TARGET, "loud")]) for n in range(9)])
    assert graph.anchors([TARGET, "http://unknown.example/"]) == {
        TARGET: [Anchor("many voters", 3), Anchor("loud", 1)]
    }
