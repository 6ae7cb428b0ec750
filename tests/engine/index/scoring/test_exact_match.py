"""Forms of words: what is kept of them, and what they do to the order."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.index.query.forms import BEGINNING, form_of, form_prefix
from engine.index.query.parser import parse_any_word
from engine.index.query.tree import Word
from engine.index.reader.posting_lists import Documents, Scores
from engine.index.scoring.lookup import look_up_scores
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.ranking import Ranking
from tests.engine.index.scoring.test_proximity import opened


def by_page(snapshot: DirectorySnapshot, documents: Documents, amounts: Scores) -> dict[str, float]:
    """Amounts that are not 0, by the last letter of the URL."""
    urls = snapshot.reader.urls(documents.tolist())
    return {url[-1]: amount for url, amount in zip(urls, amounts.tolist(), strict=True) if amount}


def test_a_form_is_counted_and_a_beginning_is_that_of_all_longer_forms(tmp_path: Path) -> None:
    texts = ("Running, runners; run. 100000 runs of running", "runni and runn", "a runnily running runner")
    with closing(opened(tmp_path, *texts)) as snapshot:
        words, every = snapshot.evaluate.words, np.arange(3, dtype=np.int32)

        def often(form: str) -> dict[str, float]:
            lists = words.pack_lists(0, [words(Word(frozenset({form}), surface=form))])
            leaf = snapshot.reader.members[0].leaf
            return by_page(snapshot, every, look_up_scores(lists, leaf.arrays, every)[1])

        assert often("running") == pytest.approx({"0": 2, "2": 1}, rel=1e-6)
        assert often("runni") == pytest.approx({"1": 1}, rel=1e-6)
        assert often("absent") == {}
        begun = words.find_longer_forms(snapshot.reader.members[0].leaf, "runni")
        assert by_page(snapshot, begun.documents, begun.scores) == {"0": 2, "2": 2}, "runne is another"


@pytest.mark.parametrize(
    ("form", "begins", "why"),
    [
        ("short", "", f"{BEGINNING} letters are all of it"),
        ("longer", "longe", "one more, and it is of a family"),
        ("123456", "", "numbers are no family"),
    ],
)
def test_beginnings(form: str, begins: str, why: str) -> None:
    assert form_prefix(form) == begins, why


@pytest.mark.parametrize(
    ("word", "form", "why"),
    [
        ("żółw", "żółw", "as the index spells it"),
        ("东京大学", "", "what is a word in it is not known"),
        ("", "", "a part of a compound was not typed so"),
    ],
)
def test_forms(word: str, form: str, why: str) -> None:
    assert form_of(word) == form, why


FILLING = [f"others {number} say nothing" for number in range(9)]


@pytest.mark.requirement(299)
@pytest.mark.parametrize(
    ("typed", "better", "worse", "why"),
    [
        ("arguing", "they were arguing there", "they had argued there", "one stem, the very form first"),
        ("alpha governing", "alpha governess", "alpha nothing", "another stem, one family: better than none"),
        (
            "alpha governing",
            "alpha governing",
            "alpha governess",
            "the word itself is better than its family",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_forms_order_what_stems_find(tmp_path: Path, typed: str, better: str, worse: str, why: str) -> None:
    with closing(opened(tmp_path, worse, better, *FILLING, language="en")) as snapshot:
        hits = snapshot.rank(snapshot.find(parse_any_word(typed, ["en"])), 10)
        urls = snapshot.reader.urls([hit.document for hit in hits])
    assert [url[-1] for url in urls] == ["1", "0"], why
    assert hits[0].score > hits[1].score, why


def test_forms_find_nothing_themselves(tmp_path: Path) -> None:
    with closing(opened(tmp_path, "the governess", *FILLING, language="en")) as snapshot:
        assert not snapshot.find(parse_any_word("governing", ["en"])).total


@pytest.mark.requirement(305)
def test_shares_of_nothing_change_nothing(tmp_path: Path) -> None:
    ranking = replace(Ranking(), exact_form=0, prefix=0, proximity=0)
    with closing(opened(tmp_path, "arguing", "argued", *FILLING, ranking=ranking, language="en")) as snapshot:
        query = parse_any_word("arguing", ["en"])
        every = snapshot.evaluate(query).scores.tolist()
        assert snapshot.find(query).scores.tolist() == pytest.approx(every, rel=1e-6)
