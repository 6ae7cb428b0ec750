"""What a cluster gets of a document says what the segment says of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.cluster_form.mapping import (
    LONGEST_TOKEN,
    OTHER_TERMS,
    OWN_TERMS,
    STACK,
    WEIGHT_FIELDS,
    document_id,
    feature_name,
    length_field,
    weight_field,
)
from engine.index.cluster_indexing.documents import _make_features, make_sources, round_weights
from engine.index.query.tree import Word
from engine.index.reader.scored_documents import set_marks
from engine.index.schema.schema import PHRASE_FIELDS
from engine.index.scoring.words import make_norms
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.source import WORDS, corpus, page

HOSTILE = "a\x01b \x02 c\x00d " + "x" * 40_000 + " ~ ~~ . .. a.b \u0085 \u2028"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    pages = [*corpus(40), page("http://a.example/", HOSTILE, title="Bäume: élan", language="de")]
    made = Indexed(tmp_path_factory.mktemp("documents"), pages)
    yield made
    made.snapshot.close()


@pytest.fixture(scope="module")
def sources(indexed: Indexed) -> dict[str, Any]:
    ranking = indexed.snapshot.ranking
    norms = make_norms(indexed.snapshot.reader.averages, ranking)
    return {
        made["url"][0]: made
        for batch, votes, numbering in indexed.batches()
        for made in make_sources(batch, numbering, norms, ranking.variant, votes)
    }


def weights_of(source: dict[str, Any]) -> dict[str, float]:
    """The features of a document."""
    fields = [source.get(f"w{number}", {}) for number in range(WEIGHT_FIELDS)]
    return {name: one for field in fields for name, one in field.items()}


@pytest.mark.parametrize("word", WORDS)
def test_weights_are_those_that_scores_are_made_of(
    indexed: Indexed, sources: dict[str, Any], word: str
) -> None:
    """A score is a weight that saturates, times a factor: nine bits of it are kept."""
    words = indexed.snapshot.evaluate.words
    found = words.score_all(Word(frozenset({word})))
    factor = words(Word(frozenset({word}))).factor
    scores = set_marks(found.scores, np.uint32(0)) / factor
    weights = scores * words.k1 / (1 - scores)
    urls = indexed.snapshot.reader.urls(found.documents.tolist())
    features = {url: weights_of(one) for url, one in sources.items()}
    said = {url: some[word] for url, some in features.items() if word in some}
    assert said == pytest.approx(dict(zip(urls, weights.tolist(), strict=True)), rel=0.003)


def test_each_term_is_of_one_kind(sources: dict[str, Any]) -> None:
    for made in sources.values():
        own, other = set(made[OWN_TERMS]), set(made[OTHER_TERMS])
        body = set(made.get("body", "").replace(STACK, " ").split())
        assert not own & other
        assert not (own | other) & body


def test_texts_have_as_many_positions_as_their_lengths(sources: dict[str, Any]) -> None:
    for made in sources.values():
        for name in PHRASE_FIELDS:
            assert len(made.get(name, "").split(" ")) == made.get(length_field(name), 1), name


def test_no_term_of_a_stranger_is_another(sources: dict[str, Any]) -> None:
    """What stands between terms stands in none of them."""
    made = sources["http://a.example/"]
    every = [*made[OWN_TERMS], *made[OTHER_TERMS], *made["body"].replace(STACK, " ").split(" ")]
    assert all(term and len(term.encode()) <= LONGEST_TOKEN for term in every)
    assert all(len(term.split()) == 1 for term in every), "Java's white space is no part of a term"
    assert all("." not in name for name in weights_of(made))


@given(st.floats(2**-99, 2**99, width=32))
def test_a_weight_is_rounded_to_the_nearest_that_is_kept(weight: float) -> None:
    [rounded] = round_weights(np.array([weight], np.float32)).tolist()
    assert rounded == pytest.approx(weight, rel=2**-9)
    assert np.float32(rounded).view(np.uint32) & 0x7FFF == 0
    assert round_weights(np.array([rounded], np.float32)).tolist() == [rounded]


IDS = [
    ("http://a.example/", "as usual"),
    ("http://a.example/" + "x" * 5_000, "longer than an _id may be"),
]


@pytest.mark.parametrize(("url", "why"), IDS, ids=[why for _, why in IDS])
def test_a_page_is_known_by_its_url(url: str, why: str) -> None:
    assert len(document_id(url)) == 32, why
    assert document_id(url) == document_id(url) != document_id(url + "/")


def test_a_feature_has_no_dot() -> None:
    assert feature_name("a.b") == f"a{STACK}b"


def test_a_page_of_nothing_but_different_words_has_no_more_features_than_lucene_takes() -> None:
    """All of one field, as an attacker may choose them; the heaviest stay."""
    words = [word for number in range(900_000) if weight_field(word := f"w{number}") == "w0"]
    weights = {word: 1.0 + number / len(words) for number, word in enumerate(words)}
    [(name, features)] = _make_features(weights).items()
    spent = sum(int(np.float32(one).view(np.uint32)) >> 15 for one in features.values())
    assert name == "w0"
    assert 60_000 < len(features) < len(words)
    assert 2**31 - 2**16 < spent < 2**31
    assert min(features.values()) >= max(weights[word] for word in words if word not in features) - 0.01
