"""Of pages that match alike those are candidates that are first by URL, as in a folder."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random

import pytest

from engine.index.cluster_searching import asking
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.cluster_searching.test_candidates import list_best, read_query
from tests.engine.index.cluster_searching.test_cluster_snapshot import Both, make_translator, set_candidates
from tests.engine.index.source import page

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
TEXTS = ["amber basil", "amber amber amber cedar", "basil cedar", "amber and nothing else"]
EACH = 20  # pages of each text
LIMITS = [1, 7, EACH, EACH + 1, 2 * EACH + 3]  # within equals and at their ends
EQUALS = [
    ("amber", "a word"),
    ("amber basil", "two words"),
    ("amber basil cedar", "words that no page has all"),
    ("amber OR cedar", "either"),
    ("site:example", "no word"),
]


@pytest.fixture(scope="module", params=[1, 4], ids=["one shard", "four shards"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opensearch_node: str
) -> Iterator[Both]:
    """Pages of few texts; in which order they were written tells nothing."""
    index = f"equals{request.param}"
    pages = [
        page(f"http://site{n}.example/{number}", text)
        for number, text in enumerate(TEXTS)
        for n in range(EACH)
    ]
    Random(1).shuffle(pages)
    indexed = Indexed(tmp_path_factory.mktemp(index), pages)
    indexed.write(opensearch_node, index, request.param)
    with closing(indexed.snapshot), indexed.open_cluster(opensearch_node, index) as cluster:
        yield Both(indexed, cluster)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("typed", "why"), EQUALS, ids=[why for _, why in EQUALS])
def test_of_equals_the_first_by_url_are_candidates(
    both: Both, monkeypatch: pytest.MonkeyPatch, typed: str, why: str, limit: int
) -> None:
    """And behind them the order goes on where it ended, however many are asked for."""
    query = read_query(both.embedded, typed)
    translate, search = make_translator(both, query), both.cluster.search
    every = asking.find_candidates(asking.Wanted(query, asking.MAX_HITS), translate, search)
    hits, partial = (sorted(some, key=place_of) for some in (every.hits, every.partial))
    set_candidates(monkeypatch, limit)
    monkeypatch.setattr(asking, "PARTIAL_CANDIDATES", limit)
    found = asking.find_candidates(asking.Wanted(query, limit + 5), translate, search)
    assert urls_of(found.hits[:limit]) == urls_of(hits[:limit]), why
    assert urls_of(found.partial) == urls_of(partial[:limit]), why
    longer = asking.find_candidates(asking.Wanted(query, limit + 30), translate, search).hits
    assert urls_of(longer[:limit]) == urls_of(hits[:limit])
    behind = found.hits[limit:]
    assert [page.url for page in longer[limit:][: len(behind)]] == [page.url for page in behind]


@pytest.mark.parametrize(("typed", "why"), EQUALS, ids=[why for _, why in EQUALS])
def test_the_best_are_those_of_a_folder(
    both: Both, monkeypatch: pytest.MonkeyPatch, typed: str, why: str
) -> None:
    """Whichever of the equals are candidates there."""
    query = read_query(both.embedded, typed)
    expected = [url for url, _ in list_best(both.embedded, query)]
    set_candidates(monkeypatch, EACH + 5)
    found = [url for url, _ in list_best(both.cluster.session(), query)]
    assert found[: EACH + 5] == expected[: EACH + 5], why


def urls_of(pages: Sequence[asking.FoundPage]) -> set[str]:
    """Candidates are ranked anew: their order is nobody's."""
    return {page.url for page in pages}


def place_of(page: asking.FoundPage) -> tuple[float, float, str]:
    """The place of a page by its score, its votes and its URL."""
    return -page.score, -float(str(page.alike[1])), page.url
