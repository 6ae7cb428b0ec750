"""What votes the links to a page cast: by whom, and from how many pages."""

import pytest

from engine.linkgraph import LinkGraph, VotePivots
from engine.model.page import Link, Links
from engine.ranking import VOTE_PIVOTS

TARGET, ALIAS = "http://www.target.com/", "http://alias.org/"


def votes(
    graph: LinkGraph, sources: list[str], named: str = TARGET, pivots: VotePivots = VOTE_PIVOTS
) -> float:
    """For the target, when these pages link to it by a name."""
    graph.replace((source, Links.of([Link(named, "x")])) for source in sources)
    found = graph.inlinks([TARGET], pivots)[TARGET].votes
    assert graph.votes([TARGET], pivots) == {TARGET: pytest.approx(found, abs=2e-6)}
    return found


VOTES = [
    (["http://a.com/"], 0.5, 0.5, "the first page of another domain says half of what all would"),
    ([f"http://a.com/{n}" for n in range(50)], 0.95, 1, "requirement 304: a farm of one domain is one vote"),
    ([f"http://h{n}.farm.com/" for n in range(50)], 0.95, 1, "requirement 304: its hosts are one voter"),
    ([f"http://v{n}.com/" for n in range(7)], 3.5, 3.5, "requirement 301: seven sites of a page each"),
    ([f"{TARGET}1"], 0.05, 0.15, "a page of its own site says little"),
    ([f"{TARGET}{n}" for n in range(8)], 0.5, 0.5, "more of them say more"),
    ([f"{TARGET}{n}" for n in range(500)], 0.95, 1, "a menu, which stands on every page, is one vote"),
    ([f"http://h{n}.target.com/" for n in range(8)], 0.5, 0.5, "other hosts of its domain are its own"),
    ([f"{TARGET}1", "http://a.com/"], 0.6, 0.62, "the voters' votes are added up"),
]


@pytest.mark.requirement(300, 301, 304)
@pytest.mark.parametrize(("sources", "least", "most", "why"), VOTES, ids=[why for *_, why in VOTES])
@pytest.mark.parametrize("named", [TARGET, ALIAS])
def test_what_votes_are_cast(
    graph: LinkGraph, sources: list[str], least: float, most: float, why: str, named: str
) -> None:
    """Whichever name of the page the links use."""
    graph.set_aliases([(ALIAS, TARGET)])
    assert least <= votes(graph, sources, named) <= most, why


@pytest.mark.requirement(305)
@pytest.mark.parametrize(
    ("pivots", "cast", "why"),
    [
        (VotePivots(0, 0), 2.0, "each voter's first page is a whole vote"),
        (VotePivots(1, 0), 1.5, "its own counts half, another's whole"),
        (VotePivots(3, 1), 0.75, "a quarter and a half"),
    ],
)
def test_the_numbers_are_the_operators(graph: LinkGraph, pivots: VotePivots, cast: float, why: str) -> None:
    """Whole numbers, too."""
    assert votes(graph, [f"{TARGET}1", "http://a.com/"], pivots=pivots) == cast, why


def test_the_votes_of_one_page_depend_on_no_other_that_is_asked_about(graph: LinkGraph) -> None:
    """One is of the linking page's domain, with letters that mean something to JSON."""
    own, other = 'http://a.com/?q=\\"é', "http://unknown.com/"
    graph.replace([("http://a.com/", Links.of([Link(own, "x"), Link(TARGET, "x")]))])
    both = graph.inlinks([own, TARGET, other], VOTE_PIVOTS)
    assert both == graph.inlinks([own], VOTE_PIVOTS) | graph.inlinks([TARGET], VOTE_PIVOTS)
    assert both[TARGET].votes > 0.4 > 0.2 > both[own].votes


DOMAINS = [f"http://v{n}.com/" for n in range(50)]
FARM, TOWN = "198.51.100.7", "198.51.100.8"
MACHINES = [
    ({TARGET: FARM, **dict.fromkeys(DOMAINS, FARM)}, 0.95, 1, "fifty domains on the target's own machine"),
    ({TARGET: TOWN, **dict.fromkeys(DOMAINS, FARM)}, 25, 25, "neighbours who link to a stranger"),
    (dict.fromkeys(DOMAINS, FARM), 25, 25, "nobody knows where the target is"),
    ({TARGET: FARM}, 25, 25, "nobody knows where the others are"),
    ({TARGET: FARM, **dict.fromkeys(DOMAINS[:49], FARM)}, 1.4, 1.5, "one of them is elsewhere"),
]


@pytest.mark.requirement(304)
@pytest.mark.parametrize(("at", "least", "most", "why"), MACHINES, ids=[why for *_, why in MACHINES])
@pytest.mark.parametrize("named", [TARGET, ALIAS])
def test_domains_of_one_machine_are_one_voter(
    graph: LinkGraph, at: dict[str, str], least: float, most: float, why: str, named: str
) -> None:
    """With their words, too."""
    graph.set_aliases([(ALIAS, TARGET)])
    graph.replace((source, Links.of([Link(named, "x")])) for source in DOMAINS)
    graph.set_machines(list(at.items()))
    assert least <= graph.inlinks([TARGET], VOTE_PIVOTS)[TARGET].votes <= most, why
    (anchor,) = graph.anchors([TARGET])[TARGET]
    assert anchor.voters == {1: 1, 1.5: 2, 25: 50}[most], why


def test_pages_of_ones_own_site_say_little_wherever_it_stands(graph: LinkGraph) -> None:
    """At a machine that is known they are still its own, not neighbours at that."""
    graph.set_machines([(TARGET, FARM)])
    assert 0 < votes(graph, [f"{TARGET}1"]) < 0.15


def test_a_machine_that_moves_is_learned_anew(graph: LinkGraph) -> None:
    graph.replace((source, Links.of([Link(TARGET, "x")])) for source in DOMAINS)
    graph.set_machines([(url, FARM) for url in (TARGET, *DOMAINS)])
    graph.set_machines([(TARGET, TOWN)])
    assert graph.inlinks([TARGET], VOTE_PIVOTS)[TARGET].votes == 25
