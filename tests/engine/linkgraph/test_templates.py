"""Templates: what the pages of a host repeat, whatever comes, changes and goes."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.linkgraph import GraphLocation, open_link_graph, open_templates
from engine.linkgraph.templates import FEWEST, SAMPLE, SHARE
from engine.model.page import Links
from tests.engine.linkgraph.conftest import NewGraph

HOST = "http://a.example"
Pages = Sequence[tuple[str, list[int] | None]]


class Kept:
    """A link graph, and the templates beside it."""

    def __init__(self, location: GraphLocation) -> None:
        self.graph = open_link_graph(location)
        self.templates = open_templates(location)

    def close(self) -> None:
        self.templates.close()
        self.graph.close()

    def put(self, pages: Pages) -> None:
        self.graph.replace([(url, None if numbers is None else Links.of(())) for url, numbers in pages])
        self.templates.replace(pages)

    def stale(self) -> list[str]:
        stale = sorted(self.graph.stale_urls(1000))
        self.graph.mark_fresh(stale)
        return stale


@pytest.fixture
def kept(location: GraphLocation) -> Iterator[Kept]:
    with closing(Kept(location)) as kept:
        yield kept


def site(count: int, *blocks: int, first: int = 0) -> list[tuple[str, list[int] | None]]:
    """Pages that all have these blocks, and each one of its own."""
    return [(f"{HOST}/{number}", [*blocks, -1 - number]) for number in range(first, first + count)]


LEARNED: list[tuple[Pages, set[int], str]] = [
    (site(FEWEST, 1, 2), {1, 2}, "what all pages have, and nothing that one has"),
    (site(5, 1), set(), "a small site loses nothing"),
    (site(FEWEST - 1, 1), set(), "one page too few"),
    ([(f"http://h{n}.example/", [1]) for n in range(50)], set(), "hosts have nothing to do with each other"),
    ([(f"{HOST}/{n}", [1, 1]) for n in range(FEWEST - 1)], set(), "twice on a page is once"),
    ([*site(FEWEST, 1), *site(12, 2, first=50)], {1, 2}, "a part of the site has a template of its own"),
    ([*site(FEWEST, 1), *site(100, first=50)], set(), "on a larger host a few pages are no template"),
    (site(FEWEST, 2**63 - 1, -(2**63)), {2**63 - 1, -(2**63)}, "numbers have 64 bits"),
]


@pytest.mark.parametrize(("pages", "template", "why"), LEARNED, ids=[why for _, _, why in LEARNED])
def test_a_template_is_what_many_pages_of_a_host_have(
    kept: Kept, pages: Pages, template: set[int], why: str
) -> None:
    kept.put([(url, sorted(set(numbers or []))) for url, numbers in pages])
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == template, why
    assert kept.templates.template_blocks("http://never.example") == frozenset()


def test_a_page_that_is_read_again_counts_once(kept: Kept) -> None:
    for _ in range(FEWEST):
        kept.put(site(FEWEST - 1, 1))
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == frozenset()


def test_what_pages_no_longer_say_is_no_template_any_more(kept: Kept) -> None:
    kept.put(site(FEWEST, 1, 2))
    kept.put([(f"{HOST}/0", None), (f"{HOST}/never", None), *site(1, 2, first=FEWEST)])
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == {2}
    kept.put([(url, None) for url, _ in site(FEWEST + 1)])
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == frozenset()


def test_pages_are_stale_that_hold_what_became_template_or_ceased_to_be(kept: Kept) -> None:
    kept.put(site(FEWEST - 1, 1))
    assert kept.stale() == []
    kept.put(site(1, 1, first=FEWEST))
    kept.put(site(1, first=99))
    assert kept.stale() == [*(url for url, _ in site(FEWEST - 1)), f"{HOST}/{FEWEST}"]
    kept.put(site(1, 1))
    kept.templates.learn()
    assert kept.stale() == [], "the same again changes nothing"
    kept.put(site(1, 7))
    kept.templates.learn()
    assert kept.stale() == [*(url for url, _ in site(FEWEST - 2, first=1)), f"{HOST}/{FEWEST}"]


def test_while_pages_come_a_host_is_learned_each_time_it_has_doubled(kept: Kept) -> None:
    learned = []
    for number in range(40):
        kept.put(site(1, 1, 2 * (number // 30), first=number))
        learned.append(kept.templates.template_blocks(HOST))
    assert learned[FEWEST - 2 :] == [set(), *[{0, 1}] * 33]
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == {0, 1, 2}


def test_pages_that_change_are_no_growth(kept: Kept) -> None:
    kept.put(site(FEWEST, 1))
    kept.put(site(FEWEST, 1, 2))
    assert kept.templates.template_blocks(HOST) == {1}
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == {1, 2}


def test_a_large_host_is_learned_from_a_sample(kept: Kept) -> None:
    """From pages drawn as if by lot: those of a sixth of the site are among them, whenever they came."""
    for block in range(6):
        kept.put(site(200, 77, block, first=200 * block))
    kept.templates.learn()
    assert kept.templates.template_blocks(HOST) == {77, *range(6)}
    assert SAMPLE < 1200
    assert SHARE < 1 / 6


@pytest.mark.parametrize(
    ("pages", "sampled", "why"),
    [
        (FEWEST - 1, 0, "too few to have a template: none is looked at"),
        (FEWEST, FEWEST, "just enough: all are"),
        (SAMPLE, SAMPLE, "all that are looked at"),
        (SAMPLE + 1, SAMPLE, "and one too many"),
    ],
)
def test_the_sample_of_a_host(kept: Kept, pages: int, sampled: int, why: str) -> None:
    kept.put(site(pages, 1))
    in_sample = kept.templates.sample_filter()
    assert sum(in_sample(url) for url, _ in site(pages)) == sampled, why


PAGES = st.dictionaries(st.integers(0, 5), st.none() | st.frozensets(st.integers(0, 3)), min_size=2)


@settings(max_examples=15)
@given(history=st.lists(PAGES, max_size=5))
def test_a_template_follows_from_the_pages_of_now(
    history: list[dict[int, frozenset[int] | None]], new_graph: NewGraph
) -> None:
    """Whatever came before, in whatever order; and by the stale pages every document learns of it."""
    with (
        closing(Kept(new_graph())) as followed,
        closing(Kept(new_graph())) as fresh,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr("engine.linkgraph.templates.FEWEST", 3)  # so that small examples have templates,
        patched.setattr("engine.linkgraph.templates.SAMPLE", 4)  # and pages that they are not learned from
        last: dict[str, list[int] | None] = {}
        documents: dict[str, frozenset[int]] = {}
        for step in [*history, None]:
            if step is None:
                followed.templates.learn()
            pages = {f"{HOST}/{n}": None if of is None else sorted(of) for n, of in (step or {}).items()}
            last.update(pages)
            followed.put(list(pages.items()))
            template = followed.templates.template_blocks(HOST)
            for url in (*pages, *followed.stale()):
                documents[url] = template & {*(last[url] or ())}
        fresh.put(sorted(last.items(), reverse=True))
        fresh.templates.learn()
        template = fresh.templates.template_blocks(HOST)
        assert followed.templates.template_blocks(HOST) == template
        assert documents == {url: template & {*(numbers or ())} for url, numbers in last.items()}
