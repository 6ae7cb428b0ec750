"""Phrases over many documents: in pieces, they find what a look at every text would."""

import random
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from engine.index.query.tree import Phrase, Word
from engine.index.scoring.phrases import PIECE
from tests.engine.index.scoring.test_proximity import opened
from tests.engine.index.source import WORDS

PHRASE = Phrase((Word(frozenset({"red"})), Word(frozenset({"fox", "hen"}))))


def found_in(data_dir: Path, *texts: str) -> set[int]:
    """The numbers of the texts that have the phrase."""
    with closing(opened(data_dir, *texts)) as snapshot:
        documents = snapshot.evaluate(PHRASE).documents.tolist()
        return {int(url.rpartition("/")[2]) for url in snapshot.reader.urls(documents)}


def expected(texts: list[str]) -> set[int]:
    """By a look at every text."""
    wanted = {("red", "fox"), ("red", "hen")}
    return {number for number, text in enumerate(texts) if wanted & {*pairwise(text.split())}}


@pytest.mark.requirement(291)
def test_phrases_of_several_pieces(tmp_path: Path) -> None:
    """Some texts have both spellings, some one word only, some none."""
    dice = random.Random(7)
    some = ["red", "fox", "hen", *WORDS[:3]]
    texts = [" ".join(dice.choices(some, k=dice.randint(1, 9))) for _ in range(3 * PIECE)]
    assert found_in(tmp_path, *texts) == expected(texts)
    assert 0 < len(expected(texts)) < len(texts), "some have it, some have not"


def test_many_places_in_each_text(tmp_path: Path) -> None:
    """What comes after them is looked at, too."""
    texts = ["red fox " * 1_000] * PIECE + ["red fox", "fox red", "red old hen", "a red hen"]
    assert found_in(tmp_path, *texts) == expected(texts)
