"""Generated documents: their words, and their way into the crawl database."""

from collections import Counter
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path

import pytest
import Stemmer

from benchmarks.corpora import natural, stored
from benchmarks.peers.contest import pages
from engine.model.page import Page
from engine.store.page_store import Store
from engine.text.duplicates.fingerprint import compute_fingerprint
from engine.url import canonicalize

DOCUMENTS = 2_000


@pytest.fixture(scope="module")
def made() -> list[Page]:
    return list(natural.generate_documents(DOCUMENTS))


def said(page: Page) -> list[str]:
    return page.text.lower().replace(".", "").split()


def test_the_same_number_gives_the_same_documents(made: list[Page]) -> None:
    assert list(islice(natural.generate_documents(DOCUMENTS), 5)) == made[:5]
    assert len(made) == len({page.url for page in made}) == DOCUMENTS
    assert all(canonicalize(page.url) == page.url for page in made)


def test_a_batch_follows_another(made: list[Page], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(natural, "BATCH", 7)
    found = list(natural.generate_documents(20))
    assert len({page.text for page in found}) == 20
    assert [page.url.rpartition("-")[2] for page in found] == [str(number) for number in range(20)]


def test_documents_have_some_eighty_words_and_titles_five(made: list[Page]) -> None:
    lengths = [len(said(page)) for page in made]
    assert min(lengths) == natural.SHORTEST
    assert max(lengths) == natural.LONGEST
    assert 78 < sum(lengths) / len(lengths) < 82
    assert {len(page.title.split()) for page in made} == {natural.TITLE}


@pytest.mark.parametrize("rank", [1, 2, 10, 100])
def test_words_come_as_often_as_zipf_and_mandelbrot_say(rank: int, made: list[Page]) -> None:
    counts = Counter(word for page in made for word in said(page))
    words = natural.generate_vocabulary(DOCUMENTS)
    share = counts[words[rank - 1]] / counts.total()
    assert share == pytest.approx(natural.compute_frequencies(len(words))[rank - 1], rel=0.2)


def test_shares_are_those_of_all_places() -> None:
    shares = natural.compute_frequencies(1000)
    assert shares.sum() == pytest.approx(1)
    expected = ((1 + natural.SHIFT) / (1000 + natural.SHIFT)) ** natural.POWER
    assert shares[999] / shares[0] == pytest.approx(expected)


def test_the_vocabulary_grows_as_heaps_says() -> None:
    small, large = natural.generate_vocabulary(100), natural.generate_vocabulary(10_000)
    assert len(large) / len(small) == pytest.approx(100**natural.GROWTH, rel=0.01)
    assert all(len(set(words)) == len(words) for words in (small, large))
    assert all(word.isascii() and word.isalpha() for word in large)


def test_a_stemmer_has_something_to_do() -> None:
    words = natural.generate_vocabulary(1_000)
    assert 0.3 < len(set(Stemmer.Stemmer("english").stemWords(words))) / len(words) < 0.6


def test_a_document_says_some_of_its_words_again(made: list[Page]) -> None:
    """Two documents have fewer words in common than two halves of one."""
    halves = [(set(said(page)[::2]), set(said(page)[1::2])) for page in made]
    within = sum(len(one & other) for one, other in halves)
    across = sum(len(one & other) for (one, _), (_, other) in pairwise(halves))
    assert within > 1.5 * across


def test_the_crawl_database_tells_of_them_as_of_crawled_ones(
    made: list[Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "BATCH", 400)  # so that one host stands in several transactions
    stored.store_pages(tmp_path, made[:1_200])
    with closing(Store(tmp_path)) as store:
        assert list(pages(store)) == made[:1_200]
        census = store.census()
        assert (census.pages, census.hosts, census.queued, census.languages) == (1_200, 2, 0, {"en": 1_200})
        assert store.last_change() == 1_200
        kept = store.lookup.exec_driver_sql("SELECT fingerprint FROM pages ORDER BY url_id LIMIT 1").scalar()
        assert kept == compute_fingerprint(made[0])
