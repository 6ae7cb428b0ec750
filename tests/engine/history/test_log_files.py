"""Files of the request log: a part for each day and size, kept for so many days, whatever the disk does."""

import os
from pathlib import Path
from threading import Thread

import pytest

from engine.history import log_files
from engine.history.log_files import LOG_FOLDER, LogFiles, format_day, read_last_lines, read_lines
from tests.crawling import EPOCH

DAY = 86_400.0


def names(data: Path) -> list[str]:
    return sorted(path.name for path in (data / LOG_FOLDER).glob("*"))


def text(data: Path) -> str:
    return b"".join(read_lines(data)).decode()


@pytest.mark.requirement(258)
def test_each_day_has_a_file_and_old_ones_go(tmp_path: Path) -> None:
    files = LogFiles(tmp_path, 2)
    for day in range(4):
        files.append(f"{day}\n", EPOCH + day * DAY)
    files.close()
    assert names(tmp_path) == ["2027-01-17.0000.jsonl", "2027-01-18.0000.jsonl"]
    assert text(tmp_path) == "2\n3\n"


def test_a_full_file_gets_a_next_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for who opens the log later, as a second process does."""
    monkeypatch.setattr(log_files, "MAX_FILE", 10)
    files = LogFiles(tmp_path, 2)
    for line in ("123456789\n", "second\n", "third\n"):
        files.append(line, EPOCH)
    LogFiles(tmp_path, 2).append("fourth\n", EPOCH)
    assert names(tmp_path) == [f"2027-01-15.000{part}.jsonl" for part in range(3)]
    assert text(tmp_path) == "123456789\nsecond\nthird\nfourth\n"


def test_the_oldest_go_where_all_are_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_files, "MAX_FILE", 10)
    monkeypatch.setattr(log_files, "MAX_WHOLE", 25)
    files = LogFiles(tmp_path, 30)
    for number in range(10):
        files.append(f"{number:09}\n", EPOCH)
    assert text(tmp_path).split() == [f"{number:09}" for number in (7, 8, 9)]


def test_no_days_are_no_log(tmp_path: Path) -> None:
    LogFiles(tmp_path, 1).append("before\n", EPOCH)
    LogFiles(tmp_path, 0).append("now\n", EPOCH)
    assert names(tmp_path) == []


def test_a_full_disk_is_told_and_tears_no_later_line(tmp_path: Path) -> None:
    files = LogFiles(tmp_path, 1)
    files.append("before\n", EPOCH)
    file = tmp_path / LOG_FOLDER / f"{format_day(EPOCH)}.0000.jsonl"
    kept = file.rename(tmp_path / "kept")
    file.symlink_to("/dev/full")
    files.close()
    with pytest.raises(OSError, match="No space left"):
        files.append("lost\n", EPOCH)
    files.close()
    file.unlink()
    kept.rename(file)
    with file.open("a") as torn:
        torn.write('{"half')
    files.append("after\n", EPOCH)
    assert text(tmp_path).split("\n") == ["before", '{"half', "after", ""]


def test_two_processes_write_whole_lines(tmp_path: Path) -> None:
    def write(word: str) -> None:
        files = LogFiles(tmp_path, 1)
        for _ in range(300):
            files.append(f"{word * 500}\n" * 3, EPOCH)

    threads = [Thread(target=write, args=[word]) for word in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = text(tmp_path).splitlines()
    assert len(lines) == 3 * 900
    assert set(lines) == {word * 500 for word in "abc"}


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    LogFiles(tmp_path, 1).append("x\n", EPOCH)
    os.umask(before)
    assert (tmp_path / LOG_FOLDER / names(tmp_path)[0]).stat().st_mode & 0o077 == 0


def test_the_last_lines_of_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole ones: the one that is cut by the limit is left out."""
    monkeypatch.setattr(log_files, "MAX_FILE", 10)
    files = LogFiles(tmp_path, 2)
    for line in ("123456789\n", "second\n", "third\n"):
        files.append(line, EPOCH)
    for most, expected in ((1_000, "123456789 second third"), (20, "second third"), (8, "third"), (3, "")):
        read = b"".join(read_last_lines(tmp_path, most)).decode()
        assert read.split() == expected.split(), most
