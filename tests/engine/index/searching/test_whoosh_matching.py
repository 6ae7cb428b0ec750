"""Wildcards, fuzzy words and phrases with a slop: Whoosh's matchers over a snapshot of ours."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine import generations
from engine.index.indexing.follow import Follower
from engine.index.query.tree import AllOf, Matched, Query, Word
from engine.index.reader.cache import IndexCache
from engine.index.reader.directory_reader import DirectoryReader
from engine.index.scoring.statistics import ReaderStatistics
from engine.index.searching.evaluate import Evaluator
from engine.ranking import Ranking
from tests.engine.index.source import Memory, page

query: Any = import_module("whoosh.query")
TEXTS = {
    "a": "amber and basil stand in a row",
    "b": "ambers of basil",
    "c": "umber beside basil and cedar",
    "d": "amber, far away from all the others here, cedar",
}
SAID: dict[str, Query] = {
    "amb?r": Matched(query.Wildcard("body", "amb?r")),
    "*mber*": Matched(query.Wildcard("body", "*mber*")),
    "amber~1": Matched(query.FuzzyTerm("body", "amber")),
    '"amber basil"~2': Matched(query.Phrase("body", ["amber", "basil"], slop=2)),
    '"amber basil"': Matched(query.Phrase("body", ["amber", "basil"])),
    "a.c": Matched(query.Regex("body", "ced.r")),
    "nowhere": Matched(query.Wildcard("body", "x*z")),
    "amber cedar*": AllOf((Word(frozenset(["amber"])), Matched(query.Wildcard("body", "ced*")))),
}


def reader_of(data_dir: Path) -> DirectoryReader:
    generation = generations.current_generation(data_dir)
    assert generation
    return DirectoryReader(generation.path, IndexCache())


def found(reader: DirectoryReader, asked: Query) -> str:
    documents = Evaluator(reader, Ranking(), ReaderStatistics(reader))(asked).documents
    return "".join(sorted(url[-1] for url in reader.urls(documents.tolist())))


@pytest.mark.parametrize(
    ("said", "expected", "why"),
    [
        ("amb?r", "ad", "one letter, no more"),
        ("*mber*", "abcd", "any letters, before and behind"),
        ("amber~1", "abd", "a letter more; the first is as it was typed"),
        ('"amber basil"~2', "a", "one word between them"),
        ('"amber basil"', "", "nothing between them"),
        ("a.c", "cd", "a regular expression"),
        ("nowhere", "", "of nothing, nothing"),
        ("amber cedar*", "d", "with a word of ours"),
    ],
)
def test_what_only_whoosh_knows(tmp_path: Path, said: str, expected: str, why: str) -> None:
    pages = [page(f"http://site.example/{name}", text) for name, text in TEXTS.items()]
    Follower(Memory(*pages[:3]), tmp_path).catch_up()
    Follower(Memory(*pages), tmp_path).catch_up()
    assert found(reader_of(tmp_path), SAID[said]) == expected, why


def test_a_snapshot_answers_after_its_files_are_gone(tmp_path: Path) -> None:
    source = Memory(*(page(f"http://site.example/{name}", text) for name, text in TEXTS.items()))
    Follower(source, tmp_path).catch_up()
    before = reader_of(tmp_path)
    for number in range(3):
        source.put(page(f"http://site.example/{number}", "amber"))
        Follower(source, tmp_path).catch_up()
    assert found(before, SAID["*mber*"]) == "abcd"
    assert found(reader_of(tmp_path), SAID["amb?r"]) == "012ad"
