"""Two machines with one server: what both see is told once, and each has its own disk."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from engine.alerts import AlertKind, AlertWatch, Finding, describe_end
from engine.complaints import close_complaint, make_complaint
from engine.config import Config, load_config
from engine.database import open_database

pytestmark = pytest.mark.postgresql

NOW = 1_800_000_000.0
COMMAND = "import sys; open({path!r}, 'a').write(sys.stdin.read() + chr(10))"


class Machines:
    """Two data folders whose alarms go into one file by a command."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.told, self.now = folder / "told", NOW
        self.watches = [self._watch(folder / name, database_url) for name in ("one", "two")]

    def _watch(self, folder: Path, database_url: str) -> AlertWatch:
        folder.mkdir()
        command = [sys.executable, "-c", COMMAND.format(path=str(self.told))]
        toml = f'database = "{database_url}"\n[alerts]\ncommand = {json.dumps(command)}\n'
        (folder / "crawl.toml").write_text(toml, "utf-8")
        config: Config = load_config({"DATA_DIR": folder / "data", "CRAWL_TOML": folder / "crawl.toml"})
        config.data_dir.mkdir()
        return AlertWatch(config, lambda: self.now, is_crawling=True)

    def look(self, *more: Finding) -> list[tuple[str, str]]:
        """Both look; status and message of what was sent by then."""
        for watch in self.watches:
            watch.look(more)
        lines = self.told.read_text("utf-8").splitlines() if self.told.exists() else []
        return [(one["status"], one["message"]) for one in map(json.loads, filter(None, lines))]


@pytest.fixture
def machines(tmp_path: Path, database_url: str) -> Machines:
    open_database(database_url).dispose()
    return Machines(tmp_path, database_url)


def test_what_both_see_is_told_once(machines: Machines) -> None:
    down = Finding(AlertKind.HOST_DOWN, "http://h.example", True, NOW, "it is down")
    assert machines.look(down) == [("open", "it is down")]
    machines.now += 60
    assert machines.look(down) == [("open", "it is down")]
    machines.now += 60
    up = down._replace(is_wrong=False, at=machines.now)
    assert machines.look(up) == [("open", "it is down"), ("over", "it is down")]


def test_a_crawl_that_fails_because_the_server_is_away_is_told(tmp_path: Path) -> None:
    """By the machine that has crawled, as nobody can keep it; what is not of that moment waits."""
    machines = Machines(tmp_path, "postgresql://nobody@127.0.0.1:1/lycosa")
    down = Finding(AlertKind.HOST_DOWN, "http://h.example", True, NOW, "it is down")
    assert machines.look(down) == []
    said = "The crawl failed: away"
    machines.watches[0].look([down, describe_end("crawl", "away", NOW)])
    assert machines.look() == [("open", said)]
    machines.watches[0].look([describe_end("crawl", "", NOW)])
    assert machines.look() == [("open", said)]


def test_the_disk_of_one_is_not_that_of_the_other(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose is well does not end the alarm of whose is not; and it is named."""
    usage, full = shutil.disk_usage(machines.told.parent), str(machines.watches[0].config.data_dir)

    def measure(path: object) -> object:
        return usage._replace(total=10**12, free=10**8 if str(path).startswith(full) else 10**12)

    monkeypatch.setattr(shutil, "disk_usage", measure)
    for _ in range(3):
        told = machines.look()
        machines.now += 60
    assert [status for status, _ in told] == ["open"]
    assert told[0][1].startswith("The disk is nearly full")
    assert told[0][1].endswith(f", {full}")


def test_a_complaint_is_told_once_and_answered_anywhere(machines: Machines, database_url: str) -> None:
    """It is of no machine: its number is one for all."""
    complaint = make_complaint(database_url, "http://h.example", "too fast", "", NOW)
    for _ in range(2):
        assert machines.look() == [("open", "The owner of http://h.example complains: too fast")]
        machines.now += 60
    close_complaint(database_url, complaint.number, "sorry", machines.now)
    assert [status for status, _ in machines.look()] == ["open", "over"]
