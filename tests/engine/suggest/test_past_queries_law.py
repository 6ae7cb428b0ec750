"""Past queries, with hits and without: nothing is written or shown that fewer than OFFERED clients asked."""

import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.schema import fold_name
from engine.suggest import past_queries as tested
from engine.suggest.past_queries import DAY, FILE, OFFERED, UNANSWERED_FILE, PastQueries, load_most_asked
from tests.engine.suggest.test_past_queries import Clock, asked

QUERIES = st.sampled_from(["amber", "Amber", "ambér!", "night train", "night\ttrain", "#", "a\n3\t9", "x\0y"])
ACTS = st.one_of(
    st.tuples(QUERIES, st.integers(0, 5), st.integers(0, 1)),  # what, who, how many hits
    st.sampled_from(["save", "another process"]),
)


@given(st.lists(ACTS, max_size=60))
def test_nothing_of_fewer_is_written_or_shown(acts: list[tuple[str, int, int] | str]) -> None:
    """Whatever is asked, by whom, in which order, and however often it is saved and read again."""
    clients: dict[tuple[bool, str], set[int]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as name:
        files = {False: Path(name, FILE), True: Path(name, UNANSWERED_FILE)}
        pasts = _open(files)
        for act in acts:
            if isinstance(act, tuple):
                typed, client, total = act
                for past in pasts:
                    past.record(typed, total, client)
                clients[not total, fold_name(" ".join(typed.split()))].add(client)
                continue
            for past in pasts:
                past._changed = True
                past.save()
            for is_unanswered, path in files.items():
                shown = {one.typed for one in load_most_asked(path, 100, 0.0)}
                written = {line.split("\t")[0] for line in path.read_text().splitlines()}
                assert shown == written
                few = [one for one in written if len(clients[is_unanswered, fold_name(one)]) < OFFERED]
                assert few == []
            if act == "another process":
                pasts = _open(files)


def _open(files: dict[bool, Path]) -> list[PastQueries]:
    return [PastQueries(path, Clock(), without_hits=is_unanswered) for is_unanswered, path in files.items()]


@pytest.mark.parametrize(
    ("typed", "is_kept", "why"),
    [
        ("evnt lop", True, "a slip of the finger"),
        ("\u202eevent loop", True, "marks of direction are shown as escapes"),
        ("event\x1b[2Jloop", False, "an order to a terminal"),
        ("event\0loop", False, "NUL"),
        ("event\tloop\n", True, "space is space: it makes no column and no line"),
        ("e" * 31, True, "a long word"),
        ("very long " * 7, False, "longer than anybody types twice"),
        ("jane@doe.example", False, "an address"),
        ("0171 2345678", False, "a number of somebody's"),
        ("where is 12.03.1977", False, "a date of birth"),
    ],
)
def test_what_is_kept_of_what_found_nothing(tmp_path: Path, typed: str, is_kept: bool, why: str) -> None:
    past = PastQueries(tmp_path / UNANSWERED_FILE, Clock(), without_hits=True)
    for client in range(OFFERED):
        past.record(typed, 0, client)
    past.save()
    found = load_most_asked(tmp_path / UNANSWERED_FILE, 10, 0.0)
    assert [one.typed for one in found] == [" ".join(typed.split())] * is_kept, why


def test_what_had_hits_is_not_among_them_and_they_are_not_offered(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / UNANSWERED_FILE, Clock(), without_hits=True)
    asked(past, "event loop")
    for client in range(OFFERED):
        past.record("evnt lop", 0, client)
    past.save()
    assert [one.typed for one in load_most_asked(tmp_path / UNANSWERED_FILE, 10, 0.0)] == ["evnt lop"]
    assert past.find_beginning("ev") == []


def test_they_are_forgotten_after_their_days(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / UNANSWERED_FILE
    past = PastQueries(path, clock, 7, without_hits=True)
    for typed in ("old", "new"):
        clock.now += 7 * DAY
        for client in range(OFFERED):
            past.record(typed, 0, client)
        past.save()
    assert [one.typed for one in load_most_asked(path, 10, clock.now - 7 * DAY)] == ["new", "old"]
    assert [one.typed for one in load_most_asked(path, 10, clock.now - DAY)] == ["new"]
    clock.now += 1
    past.count("else", b"client")
    past.save()
    assert path.read_text().startswith("new\t")
    assert len(path.read_text().splitlines()) == 1
    PastQueries(path, clock, 0, without_hits=True)
    assert not path.exists(), "turned off, what was kept is deleted"


def test_junk_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "MAX_QUERIES", 50)
    past = PastQueries(tmp_path / UNANSWERED_FILE, Clock(), without_hits=True)
    for number in range(1_000):
        past.record(f"junk{number}", 0, "one client")
    assert len(past._queries) == 50
