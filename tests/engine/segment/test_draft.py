"""Commits of a folder beside a dictionary that goes through the same changes."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh.fields import ID, TEXT, Schema

from engine.segment import folder, stored
from engine.segment.build import build_segment
from engine.segment.draft import Draft
from engine.segment.invert import Entries, invert_entries
from engine.segment.layout import Layout
from tests.engine.segment.plain import spelled

SCHEMA = Schema(body=TEXT(phrase=True), url=ID(unique=True, stored=True))
LAYOUT = Layout(("body",), frozenset({"body"}), ("url",))
URLS = [f"u{number}" for number in range(12)]
WORDS = ["amber", "basil", "cedar"]


class Commit(NamedTuple):
    """Documents that go, by URL, and the words of those that come; all votes are their number of words."""

    gone: set[str]
    come: dict[str, list[str]]


def write(path: Path, documents: Mapping[str, list[str]]) -> None:
    entries, terms = [], {word: number for number, word in enumerate(WORDS)}
    names = [LAYOUT.key("body", word) for word in WORDS]
    for number, (url, words) in enumerate(documents.items()):
        entries += [(terms[word], number, 0, at) for at, word in enumerate(words)]
        entries.append((len(names), number, 0, 0))
        names.append(LAYOUT.key("url", url))
    columns = np.ascontiguousarray(np.array(entries, np.int32).reshape(-1, 4).T)
    made = invert_entries(LAYOUT, len(names), spelled(names), Entries(*columns))
    lengths = {"body": np.array([len(words) for words in documents.values()], np.int64)}
    ends, records = (
        [np.empty(0, np.uint16)] * len(documents),
        [stored.pack_fields({"url": url}) for url in documents],
    )
    build_segment(path, LAYOUT, made.rows, [made.run], lengths, ends, records)


def add(draft: Draft, documents: Mapping[str, list[str]]) -> None:
    votes = np.array([len(words) for words in documents.values()], np.float32)
    draft.add(len(documents), lambda path: write(path, documents), votes)


def held(path: Path) -> dict[str, tuple[list[str], float]]:
    """What a reader of the folder finds: for each URL its words in order and its votes."""
    found: dict[str, tuple[list[str], float]] = {}
    for segment in folder.read_contents(path).segments:
        arrays, alive, votes = (
            segment.open(path),
            ~segment.read_deletions(path),
            segment.read_votes(path),
        )
        words: dict[int, dict[int, str]] = {number: {} for number in range(segment.size)}
        for word in WORDS:
            if (number := arrays.number("body", word)) < 0:
                continue
            postings = arrays.postings(*arrays.dictionary.postings(number))
            places = postings.start + np.arange(len(postings.documents))
            for owner, at in zip(*arrays.positions(0, places, postings.rows), strict=True):
                words[int(postings.documents[owner])][int(at)] = word
        for number in np.flatnonzero(alive).tolist():
            said = [words[number][at] for at in sorted(words[number])]
            found[arrays.stored(number)["url"]] = said, float(votes[number])
        assert arrays.lengths("body").tolist() == [len(words[number]) for number in range(segment.size)]
    return found


commits = st.builds(
    Commit,
    st.sets(st.sampled_from(URLS), max_size=4),
    st.dictionaries(st.sampled_from(URLS), st.lists(st.sampled_from(WORDS), max_size=5), max_size=4),
)


def test_the_files_of_the_commit_before_stay_until_the_next(tmp_path: Path) -> None:
    """Whoever has just read its table of contents still opens them."""
    folder.create(tmp_path, SCHEMA)
    for url in URLS[:2]:
        add(draft := Draft(tmp_path, SCHEMA), {url: ["amber"]})
        draft.commit()
    before = {file for segment in folder.read_contents(tmp_path).segments for file in segment.files}
    merging = Draft(tmp_path, SCHEMA)
    merging.merge(merging.parts)
    merging.commit()
    assert before <= {path.name for path in tmp_path.iterdir()}
    add(draft := Draft(tmp_path, SCHEMA), {URLS[2]: []})
    draft.commit()
    assert before.isdisjoint(path.name for path in tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.requirement(291)
@settings(max_examples=30)
@given(done=st.lists(commits, max_size=12), factor=st.sampled_from([2, 3, 8]))
def test_a_folder_holds_what_was_committed(
    tmp_path_factory: pytest.TempPathFactory, done: list[Commit], factor: int
) -> None:
    """Whatever is deleted, replaced and merged on the way."""
    path = tmp_path_factory.mktemp("folder")
    folder.create(path, SCHEMA)
    model: dict[str, list[str]] = {}
    for number, (gone, come) in enumerate(done, 1):
        draft = Draft(path, SCHEMA)
        draft.delete("url", {*gone, *come})
        add(draft, come)
        draft.merge_crowded(factor)
        assert draft.commit().number == number
        model = {url: words for url, words in model.items() if url not in gone} | come
        assert held(path) == {url: (words, len(words)) for url, words in model.items()}
        assert len(draft.parts) < 2 * factor
        assert Draft(path, SCHEMA).documents == len(model)


def test_what_is_not_committed_is_not_there_and_is_swept(tmp_path: Path) -> None:
    folder.create(tmp_path, SCHEMA)
    add(lost := Draft(tmp_path, SCHEMA), {"u1": ["amber"]})
    assert held(tmp_path) == {}
    assert lost.find_stored("url", "u1") == {"url": "u1"}
    assert lost.find_stored("url", "u2") is None
    for url in URLS[:3]:
        add(kept := Draft(tmp_path, SCHEMA), {url: ["basil"]})
        kept.commit()
    wanted = {file for segment in folder.read_contents(tmp_path).segments for file in segment.files}
    tables = {"_MAIN_2.toc", "_MAIN_3.toc"}
    assert {path.name for path in tmp_path.iterdir()} == wanted | tables | {folder.TAG}


def test_what_a_draft_has_deleted_it_finds_no_more(tmp_path: Path) -> None:
    """Before it is committed, and where another document of the same key has come instead."""
    folder.create(tmp_path, SCHEMA)
    add(first := Draft(tmp_path, SCHEMA), {"u1": ["amber"], "u2": []})
    first.commit()
    draft = Draft(tmp_path, SCHEMA)
    draft.delete("url", ["u1", "u2"])
    assert draft.find_stored("url", "u1") is None
    add(draft, {"u1": ["basil"]})
    assert [part.find("url", "u1") for part in draft.parts] == [-1, 0]
    assert draft.documents == 1


@pytest.mark.requirement(300)
def test_votes_change_without_postings(tmp_path: Path) -> None:
    """New counts of inlinks need no new segment."""
    folder.create(tmp_path, SCHEMA)
    add(first := Draft(tmp_path, SCHEMA), {"u1": ["amber"], "u2": []})
    first.commit()
    draft = Draft(tmp_path, SCHEMA)
    draft.set_votes(draft.parts[0], np.array([5, 0.5], np.float32))
    draft.commit()
    assert held(tmp_path) == {"u1": (["amber"], 5.0), "u2": ([], 0.5)}
    assert len({path.name for path in tmp_path.glob("*.arrays")}) == 1
