"""Files that the operator writes: read again when they change, and never in the way of a search."""

import logging
import os
from pathlib import Path

import pytest

from engine.suggest.operator_files import CHECK_SECONDS, MAX_BYTES, MAX_TOLD, OperatorFile, find_broken_lines


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def number(line: str) -> int:
    if not line.isascii():
        raise ValueError("a number in digits")
    return int(line)


def numbers(path: Path, clock: Clock) -> OperatorFile[int, list[int]]:
    return OperatorFile(path, number, list, clock)


def test_without_a_file_there_are_no_rows(tmp_path: Path) -> None:
    assert numbers(tmp_path / "numbers", Clock())() == []


def test_what_changes_is_seen_after_a_second(tmp_path: Path) -> None:
    path, clock = tmp_path / "numbers", Clock()
    written = numbers(path, clock)
    assert written() == []
    path.write_text("1\n")
    assert written() == []
    clock.now += CHECK_SECONDS
    assert written() == [1]
    path.write_text("1\n22\n")
    clock.now += CHECK_SECONDS
    assert written() == [1, 22]
    path.unlink()
    clock.now += CHECK_SECONDS
    assert written() == []


def test_a_file_of_the_same_size_has_changed_when_its_time_has(tmp_path: Path) -> None:
    path, clock = tmp_path / "numbers", Clock()
    path.write_text("1")
    written = numbers(path, clock)
    assert written() == [1]
    path.write_text("2")
    os.utime(path, (9, 9))
    clock.now += CHECK_SECONDS
    assert written() == [2]


@pytest.mark.parametrize(
    ("text", "rows", "told", "why"),
    [
        (b"1\r\n\r\n# three\n 2 \n", [1, 2], "", "ends of lines, empty ones, remarks, spaces"),
        (b"\xef\xbb\xbf1\n2", [1, 2], "", "a byte order mark; no end of the last line"),
        ("1\nдва\n3".encode(), [1, 3], "line 2 is skipped: write a number in digits", "a broken line"),
        (b"1\n\xff\n3", [1, 3], "line 2 is skipped: write UTF-8", "a line in another charset"),
        (b"\x00\n" * 20, [], "line 1 is skipped", "junk"),
    ],
)
def test_lines(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: bytes, rows: list[int], told: str, why: str
) -> None:
    """What cannot be used is named, with its file and line, and skipped."""
    path, clock = tmp_path / "numbers", Clock()
    path.write_bytes(text)
    written = numbers(path, clock)
    with caplog.at_level(logging.WARNING):
        assert written() == rows, why
        clock.now += CHECK_SECONDS
        written()
    assert told in caplog.text
    assert len(caplog.records) == (0 if not told else min(text.count(b"\x00") or 1, MAX_TOLD)), "once"


def test_a_file_too_large_is_read_up_to_a_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(b"12345678\n" * (MAX_BYTES // 9 + 1))
    assert len(numbers(path, Clock())()) == MAX_BYTES // 9
    assert "make it shorter" in caplog.text


def test_what_cannot_be_read_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "numbers"
    path.mkdir()
    assert numbers(path, Clock())() == []
    assert "cannot be read" in caplog.text


def test_broken_lines_are_found_as_they_would_be_skipped() -> None:
    text = "1\n\n# x\nx\n 2 \r\ny"
    assert [number for number, _ in find_broken_lines(text, int)] == [4, 6]
    assert len(find_broken_lines("x\n" * 50, int)) == MAX_TOLD
    assert find_broken_lines("\ud800", str) == [(1, "UTF-8")]
