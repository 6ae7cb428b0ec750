"""Segments that are merged are the segment of the documents that are left."""

from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.segment import merge as merging
from engine.segment.build import PostingsRun, build_segment
from engine.segment.merge import MergeSource, merge
from engine.segment.segment import Segment
from tests.engine.segment.plain import DOCUMENTS, Document, as_segment, holds, some_documents

AT_ONCE = st.sampled_from([1, 3, 50, merging.AT_ONCE])


def merged(folder: Path, parts: list[list[Document]], alive: list[list[bool]]) -> None:
    """Each part is a segment; they are merged, and compared with what is alive of them."""
    sources = [
        MergeSource(as_segment(folder / f"part{at}", part), np.array(stays, np.bool_))
        for at, (part, stays) in enumerate(zip(parts, alive, strict=True))
    ]
    merge(folder / "whole", sources)
    left = [
        document
        for part, stays in zip(parts, alive, strict=True)
        for document, stay in zip(part, stays, strict=True)
        if stay
    ]
    holds(Segment(folder / "whole"), left)


@settings(max_examples=20)
@given(DOCUMENTS, st.lists(st.integers(0, 8), max_size=3), st.data(), AT_ONCE)
def test_any_segments(documents: list[Document], cuts: list[int], data: st.DataObject, at_once: int) -> None:
    places = sorted({min(cut, len(documents)) for cut in cuts})
    parts = [documents[start:end] for start, end in pairwise([0, *places, len(documents)])]
    alive = [data.draw(st.lists(st.booleans(), min_size=len(part), max_size=len(part))) for part in parts]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "AT_ONCE", at_once)
        merged(Path(folder), parts, alive)


SIZES: list[tuple[str, list[int], float]] = [
    ("nothing is deleted", [30, 50], 1.0),
    ("all are deleted", [7, 9], 0.0),
    ("one segment, to be rid of what is deleted", [60], 0.5),
    ("a segment without documents between others", [20, 0, 20], 0.8),
    ("only segments without documents", [0, 0], 1.0),
    ("many of very different sizes", [1, 40, 2, 8, 3, 1, 30, 5], 0.7),
]


@pytest.mark.parametrize(("why", "sizes", "share"), SIZES, ids=[why for why, *_ in SIZES])
@pytest.mark.parametrize("at_once", [700, merging.AT_ONCE])
def test_many_documents(
    why: str, sizes: list[int], share: float, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "AT_ONCE", at_once)
    documents = some_documents(sum(sizes), sum(sizes), 30)
    parts = [documents[start:end] for start, end in pairwise([0, *accumulate(sizes)])]
    random = np.random.default_rng(5)
    merged(tmp_path, parts, [(random.random(size) < share).tolist() for size in sizes])


def runs_of(
    tmp_path: Path, patch: pytest.MonkeyPatch, segments: list[list[Document]], at_once: int
) -> list[PostingsRun]:
    """What merge() gives build(): all documents stay."""
    runs: list[PostingsRun] = []

    def kept(*made: Any) -> None:
        runs.extend(made[3])
        build_segment(made[0], made[1], made[2], runs, *made[4:])

    patch.setattr(merging, "AT_ONCE", at_once)
    patch.setattr(merging, "build_segment", kept)
    merged(tmp_path, segments, [[True] * len(documents) for documents in segments])
    return runs


@pytest.mark.slow
def test_a_run_is_bounded_whatever_segments_its_terms_are_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Segments of one language each hold different parts of the dictionary."""
    words = [[(f"{letter}{word:03}", word) for word in range(900)] for letter in "aghkxż"]
    runs = runs_of(tmp_path, monkeypatch, [[Document({"body": said}, {})] for said in words], 2_400)
    sizes = [len(run.steps) for run in runs]
    assert sum(sizes) == 6 * 900
    assert 2_400 / 4 < max(sizes) <= 2_400
    assert max(len(run.terms) for run in runs) <= 2_400 + 6


def test_a_run_is_bounded_however_many_documents_hold_a_term(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A term of all pages of a large index would else be in memory as a whole."""
    documents = [Document({"body": [("the", at), ("the", 9)]}, {"lang": ["en"]}) for at in range(70)]
    runs = runs_of(tmp_path, monkeypatch, [documents[:50], documents[50:]], 16)
    assert max(len(run.steps) for run in runs) == 16
    assert max(len(run.gaps) for run in runs) <= 2 * 16


def test_rows_that_nobody_has_any_more_are_left_out(tmp_path: Path) -> None:
    """Tables would grow with every page that changed; rows of few bits are the commonest."""
    documents = some_documents(4, 30, 80)
    half = np.arange(30) % 2 == 0
    merge(tmp_path / "half", [MergeSource(as_segment(tmp_path / "all", documents), half)])
    merge(tmp_path / "again", [MergeSource(Segment(tmp_path / "half"), np.ones(15, np.bool_))])
    half_of_all, again = Segment(tmp_path / "half"), Segment(tmp_path / "again")
    assert len(again.rows) < len(half_of_all.rows)
    counts = again.row_counts()
    assert counts.min() > 0
    assert (np.diff(counts) <= 0).all()
    postings, _ = again.postings_of_terms(range(again.dictionary.size))
    assert np.bincount(postings.rows).tolist() == counts.tolist()
