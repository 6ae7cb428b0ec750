"""Records that several processes share."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_ui.server.shared_table import WAYS, Record, SharedTable
from tests.conftest import ROOT

# Eight forks of one process count to 8 x 500; before that, one is killed while it holds the lock of each set.
FORKS = """
import os, signal, time
from search_ui.server.shared_table import Record, SharedTable

table = SharedTable(1, "d")

def hold(record):
    os.kill(os.getpid(), signal.SIGKILL)

def count(record):
    return Record(1.0, (record.values[0] + 1 if record else 1.0,))

def fork(work):
    pid = os.fork()
    if not pid:
        work()
        os._exit(0)
    return pid

os.waitpid(fork(lambda: table.change(b"a", hold)), 0)
children = [fork(lambda: [table.change(b"a", count) for _ in range(500)]) for _ in range(8)]
assert [os.waitpid(child, 0)[1] for child in children] == 8 * [0]
table.change(b"a", lambda record: print(record.values[0]))
"""


def read(table: SharedTable, key: bytes) -> Record | None:
    seen = list[Record | None]()

    def look(record: Record | None) -> Record | None:
        seen.append(record)
        return record

    table.change(key, look)
    return seen[0]


def test_no_change_of_another_process_is_lost_and_a_killed_one_hinders_nobody() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKS], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("4000.0\n", "")


@given(st.lists(st.tuples(st.integers(0, WAYS - 1), st.integers(-3, 3)), max_size=60))
def test_it_is_a_dictionary_as_long_as_there_is_room(steps: list[tuple[int, int]]) -> None:
    table, expected = SharedTable(1, "d"), dict[bytes, Record]()
    for number, value in steps:
        key, record = b"key%d" % number, Record(1.0, (float(value),)) if value else None
        table.change(key, lambda before, record=record: record)  # type: ignore[misc]
        expected.pop(key, None)
        if record:
            expected[key] = record
    for number in range(WAYS):
        key = b"key%d" % number
        assert read(table, key) == expected.get(key)


@pytest.mark.parametrize(
    ("ranks", "forgotten", "why"),
    [
        ([2.0, 1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 1, "the least rank"),
        ([float("inf")] * 7 + [9.0], 7, "whatever may not be forgotten stays"),
        ([float("inf")] * 8, None, "there is no place: the newcomer is dropped"),
    ],
)
def test_who_is_forgotten(ranks: list[float], forgotten: int | None, why: str) -> None:
    table = SharedTable(1, "d")
    for number, rank in enumerate(ranks):
        table.change(b"old%d" % number, lambda _, rank=rank: Record(rank, (1.0,)))  # type: ignore[misc]
    table.change(b"new", lambda _: Record(10.0, (2.0,)))
    gone = [number for number in range(WAYS) if read(table, b"old%d" % number) is None]
    assert gone == ([] if forgotten is None else [forgotten]), why
    assert (read(table, b"new") is None) == (forgotten is None), why


def test_all_records_change() -> None:
    table = SharedTable(4, "d")
    keys = [b"key%d" % number for number in range(10)]
    for number, key in enumerate(keys):
        table.change(key, lambda _, number=number: Record(1.0, (float(number),)))  # type: ignore[misc]
    table.change_all(lambda record: Record(2.0, record.values) if record.values[0] > 4 else None)
    assert [read(table, key) for key in keys] == 5 * [None] + [Record(2.0, (float(n),)) for n in range(5, 10)]
