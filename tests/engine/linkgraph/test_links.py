"""The link graph: distinct pages, voters and anchor texts, whatever comes and goes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.linkgraph import Anchor, GraphLocation, Inlinks, LinkGraph, edges, open_link_graph
from engine.linkgraph.edges import MAX_ANCHOR, MAX_OUTLINKS, Edges
from engine.linkgraph.links import MAX_ANCHORS
from engine.model.page import Link, Links
from engine.ranking import VOTE_PIVOTS
from engine.url import registrable_domain
from tests.engine.linkgraph.conftest import NewGraph

TARGET = "http://target.example/"


def replace(graph: LinkGraph, sources: Iterable[tuple[str, Sequence[Link] | None]]) -> None:
    graph.replace((url, None if links is None else Links.of(links)) for url, links in sources)


def inlinks(graph: LinkGraph, url: str = TARGET) -> Inlinks:
    """The inlinks of a URL; their pages are counted alike where only they are asked for."""
    found = graph.inlinks([url], VOTE_PIVOTS).get(url, Inlinks())
    assert graph.count_linking_pages([url]).get(url, 0) == found.pages
    assert graph.votes([url], VOTE_PIVOTS).get(url, 0) == pytest.approx(found.votes, abs=2e-6)
    return found


SOURCES = [
    ([("http://a.example/", [Link(TARGET, "x")])], (1, 1), "one page, one voter"),
    (
        [("http://a.example/", [Link(TARGET, "x"), Link(TARGET, "y")])],
        (1, 1),
        "two links of one page are one",
    ),
    ([(f"http://a.example/{n}", [Link(TARGET, "x")]) for n in range(100)], (100, 1), "100 pages, one vote"),
    (
        [(f"http://h{n}.example.com/", [Link(TARGET, "x")]) for n in range(9)],
        (9, 1),
        "one domain is one voter",
    ),
    ([(f"http://127.0.0.1:{n}/", [Link(TARGET, "x")]) for n in (81, 82)], (2, 2), "an address votes by port"),
    ([("http://a.example/", [Link(TARGET, "x", nofollow=True)])], (0, 0), "nofollow links do not count"),
    ([(TARGET, [Link(TARGET, "x")])], (0, 0), "a page does not vote for itself"),
    ([("http://a.example/", [Link(TARGET, "")])], (1, 1), "a link without words is a link"),
]


@pytest.mark.requirement(301)
@pytest.mark.parametrize(("sources", "counts", "why"), SOURCES)
def test_counts_distinct_pages_and_voters(
    graph: LinkGraph, sources: list[tuple[str, list[Link]]], counts: tuple[int, int], why: str
) -> None:
    replace(graph, sources)
    assert inlinks(graph)[:2] == counts, why


def test_the_numbers_of_targets_and_of_the_urls_that_links_mean(graph: LinkGraph) -> None:
    source, alias = "http://a.example/", "http://alias.example/"
    replace(graph, [(source, [Link(alias, "x"), Link(alias, "y"), Link("http://b.example/", "z")])])
    graph.set_aliases([(alias, TARGET)])
    targets = graph.target_numbers([source, TARGET])
    assert {url: len(numbers) for url, numbers in targets.items()} == {source: 2}
    meant = graph.numbers([TARGET])
    assert graph.numbers([alias])[0] in meant
    assert len(set(meant) & set(targets[source])) == 1
    assert graph.numbers(["http://nowhere.example/"]) == []


def test_a_page_that_leaves_takes_its_links_with_it(graph: LinkGraph) -> None:
    replace(graph, [("http://a.example/", [Link(TARGET, "x")]), ("http://b.example/", [Link(TARGET, "y")])])
    replace(graph, [("http://a.example/", None)])
    assert inlinks(graph)[:2] == (1, 1)
    assert graph.anchors([TARGET]) == {TARGET: [Anchor("y", 1)]}
    assert graph.count_pages() == 1


def test_strangers_do_not_make_it_big(graph: LinkGraph) -> None:
    replace(
        graph, [("http://a.example/", [Link(f"http://x.example/{n}", "") for n in range(MAX_OUTLINKS + 9)])]
    )
    replace(
        graph,
        [("http://b.example/", [Link(TARGET, f"{n} " + "long " * 999) for n in range(MAX_ANCHORS + 9)])],
    )
    replace(graph, [("http://c.example/", [Link(TARGET, "half \ud800 a letter")])])
    anchors = graph.anchors([TARGET])[TARGET]
    assert len(anchors) == MAX_ANCHORS
    assert max(len(anchor.text) for anchor in anchors) == MAX_ANCHOR
    assert graph.inlinks([f"http://x.example/{MAX_OUTLINKS}"], VOTE_PIVOTS) == {}


def test_stale_are_stored_pages_whose_anchor_texts_changed(graph: LinkGraph) -> None:
    replace(graph, [("http://a.example/", [Link(TARGET, "x")])])
    assert graph.stale_urls(10) == [], "the target is not in the store"
    replace(graph, [(TARGET, [])])
    replace(graph, [("http://b.example/", [Link(TARGET, "new words")])])
    assert graph.stale_urls(10) == [TARGET]
    graph.mark_fresh([TARGET])
    replace(graph, [("http://b.example/2", [Link(TARGET, "new words")])])
    assert graph.stale_urls(10) == [], "the same voter said the same"
    replace(graph, [("http://a.example/", [])])
    assert graph.stale_urls(10) == [TARGET], "words that nobody says any more"
    replace(graph, [(TARGET, None)])
    assert graph.stale_urls(10) == [], "the target has left"


LINKS = st.lists(st.builds(Link, st.sampled_from("abcd"), st.sampled_from(["", "x", "y"]), st.booleans()))
HISTORY = st.lists(st.tuples(st.sampled_from("abcd"), st.none() | LINKS), max_size=12)


@settings(max_examples=25)
@given(history=HISTORY)
def test_counts_are_those_of_the_last_state(
    history: list[tuple[str, list[Link] | None]], new_graph: NewGraph
) -> None:
    graph = open_link_graph(new_graph())
    named = _named(history)
    for source in named:
        replace(graph, [source])
    last = dict(named)
    for target in map(_url, "abcd"):
        sources = [
            source
            for source, links in last.items()
            if source != target and any(link.url == target and not link.nofollow for link in links or ())
        ]
        assert inlinks(graph, target)[:2] == (
            len(sources),
            len({registrable_domain(source) for source in sources}),
        )
    graph.close()


@pytest.mark.requirement(300, 301)
@settings(max_examples=8)
@given(history=HISTORY, at_once=st.integers(2, 12))
def test_pages_count_the_same_one_by_one_and_many_at_once(
    history: list[tuple[str, list[Link] | None]], at_once: int, new_graph: NewGraph
) -> None:
    """Of a page that comes twice in a batch the last counts."""
    history = _named(history)
    single, many = open_link_graph(new_graph()), open_link_graph(new_graph())
    for source in history:
        replace(single, [source])
    for start in range(0, len(history), at_once):
        replace(many, history[start : start + at_once])
    targets = [_url(name) for name in "abcd"]
    assert many.inlinks(targets, VOTE_PIVOTS) == single.inlinks(targets, VOTE_PIVOTS)
    assert many.anchors(targets) == single.anchors(targets)
    assert many.count_pages() == single.count_pages()
    single.close()
    many.close()


def test_numbers_of_a_step_that_failed_are_given_anew(
    location: GraphLocation, graph: LinkGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("engine.linkgraph.edges.diff_votes", _disk_full)
        with pytest.raises(OSError, match="disk"):
            replace(graph, [("http://a.example/", [Link(TARGET, "x")])])
    with closing(open_link_graph(location)) as other:
        replace(other, [("http://b.example/", [Link("http://c.example/", "y")])])
    replace(graph, [("http://a.example/", [Link(TARGET, "x")])])
    assert inlinks(graph)[:2] == inlinks(graph, "http://c.example/")[:2] == (1, 1)
    assert graph.anchors([TARGET]) == {TARGET: [Anchor("x", 1)]}


def test_a_graph_in_which_another_has_written_meanwhile_is_seen_as_it_is(
    location: GraphLocation, graph: LinkGraph
) -> None:
    other = open_link_graph(location)
    for number in range(3):
        for one in (graph, other):
            replace(one, [(f"http://h{number}{id(one)}.example/", [Link(TARGET, f"x{number}")])])
    other.close()
    assert inlinks(graph)[:2] == (6, 6)
    assert [anchor.voters for anchor in graph.anchors([TARGET])[TARGET]] == [2, 2, 2]


@given(st.lists(st.tuples(*[st.integers(0, 2**31)] * 3), max_size=30), st.sampled_from([0, 20, 31]))
def test_links_are_sorted_the_same_whether_or_not_a_row_fits_into_a_word(
    rows: list[tuple[int, ...]], smaller: int
) -> None:
    page, target, anchor = np.array(rows, np.int64).reshape(-1, 3).T >> smaller
    none = Edges(*(np.empty(0, np.int64),) * 3)
    with pytest.MonkeyPatch.context() as patched:
        quick = edges.diff_anchors(none, Edges(page * 0, target, anchor), np.arange(1))
        patched.setattr(edges, "WORD", 0)
        slow = edges.diff_anchors(none, Edges(page * 0, target, anchor), np.arange(1))
    counts = Counter(zip(target.tolist(), anchor.tolist(), strict=True))
    expected = [(*pair, 0, count) for pair, count in sorted(counts.items())]
    assert list(quick.rows()) == list(slow.rows()) == expected


def _disk_full(*_: object) -> None:
    raise OSError("disk full")


def _named(history: list[tuple[str, list[Link] | None]]) -> list[tuple[str, list[Link] | None]]:
    return [
        (_url(name), links and [link._replace(url=_url(link.url)) for link in links])
        for name, links in history
    ]


def _url(name: str) -> str:
    """Two of the four share a voter."""
    return f"http://{name}.{'one' if name < 'c' else name}.com/"


ALIAS, OLDER = "http://alias.example/", "http://older.example/"


@pytest.mark.requirement(79, 300, 301)
@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("alias, links", "the redirect was known first"),
        ("links, alias", "the link was there first"),
    ],
)
def test_a_link_to_an_alias_counts_for_the_page_that_stands(graph: LinkGraph, order: str, why: str) -> None:
    """Votes and words, over two redirects as well."""
    replace(graph, [(TARGET, [])])
    for step in order.split(", "):
        if step == "alias":
            graph.set_aliases([(ALIAS, TARGET), (OLDER, ALIAS)])
        else:
            replace(
                graph,
                [("http://a.example/", [Link(OLDER, "old")]), ("http://b.example/", [Link(TARGET, "x")])],
            )
    assert inlinks(graph)[:2] == (2, 2), why
    assert graph.anchors([TARGET]) == {TARGET: [Anchor("old", 1), Anchor("x", 1)]}
    assert graph.stale_urls(10) == [TARGET], why


@pytest.mark.requirement(301, 304)
def test_one_voter_casts_one_vote_whatever_names_it_uses(graph: LinkGraph) -> None:
    """And a page that uses all of them is one page."""
    graph.set_aliases([(ALIAS, TARGET), (OLDER, TARGET)])
    replace(graph, [("http://a.example/1", [Link(url, "x") for url in (TARGET, ALIAS, OLDER)])])
    assert inlinks(graph)[:2] == (1, 1)
    replace(graph, [("http://a.example/2", [Link(ALIAS, "x")])])
    assert inlinks(graph)[:2] == (2, 1)
    assert 0.6 < inlinks(graph).votes < 0.7
    assert graph.anchors([TARGET]) == {TARGET: [Anchor("x", 1)]}


def test_words_move_along_a_chain_of_aliases(graph: LinkGraph) -> None:
    """Whatever an alias's words counted for, or count for now, is stale, however many names are between."""
    chain = [f"http://chain.example/{number}" for number in range(4)]
    replace(graph, [(TARGET, []), ("http://a.example/", [Link(chain[0], "x")])])
    graph.set_aliases([*pairwise(chain), (chain[-1], TARGET)])
    assert graph.stale_urls(9) == [TARGET]
    for change in ([(chain[0], "")], [(chain[0], chain[1])], [(chain[1], "")]):
        graph.mark_fresh([TARGET])
        graph.set_aliases(change)
        assert graph.stale_urls(9) == [TARGET], change


def test_what_is_no_alias_any_more_stands_for_itself(graph: LinkGraph) -> None:
    replace(graph, [(TARGET, []), ("http://a.example/", [Link(ALIAS, "x")])])
    graph.set_aliases([(ALIAS, TARGET)])
    graph.mark_fresh([TARGET])
    graph.set_aliases([(ALIAS, ""), ("http://never.example/", "")])
    assert inlinks(graph) == Inlinks()
    assert graph.stale_urls(10) == [TARGET]
    assert inlinks(graph, ALIAS)[:2] == (1, 1)


def test_aliases_in_a_circle_come_to_an_end(graph: LinkGraph) -> None:
    """Two pages that represent each other: each is heard once."""
    replace(graph, [("http://a.example/", [Link(ALIAS, "x"), Link(TARGET, "y")])])
    graph.set_aliases([(ALIAS, TARGET), (TARGET, ALIAS)])
    assert inlinks(graph)[1] == inlinks(graph, ALIAS)[1] == 1
