"""The runbook of docs/operating.md has a row for each alarm, and names what exists."""

import argparse
import re
from importlib import import_module

import pytest
from scrapy.settings import Settings

from engine.alerts import AlertKind
from engine.command import LycosaCommand
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
RUNBOOK = PAGE.partition("\n## Runbook\n")[2]
ROWS = [line.strip("| ").split(" | ") for line in RUNBOOK.splitlines() if line.startswith("| ")]
COMMANDS = sorted(set(re.findall(r"`(scrapy [^`]+)`", RUNBOOK)))
OTHERS = {"cat", "curl", "df", "dmesg", "git", "journalctl", "kill", "ls", "systemctl"}
MODULES = {
    path.stem: ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "engine" / "commands").rglob("*.py")
    if path.parent.name != "unsupported"
}


@pytest.mark.requirement(257)
def test_each_alarm_has_a_row() -> None:
    """But the test alarm, of which nothing is to be done."""
    assert {first.strip("`") for first, *_ in ROWS} >= set(AlertKind) - {AlertKind.TEST}


@pytest.mark.requirement(257)
def test_each_row_says_what_to_look_at_and_what_to_do() -> None:
    assert [row for row in ROWS if len(row) != 3 or not all(row)] == []
    looks = [look for first, look, _ in ROWS if first not in ("alarm", "what is seen")]
    words = [look.strip("`").split()[0] for look in looks if re.fullmatch(r"`[^`]+`", look)]
    assert len(words) == len(looks) > 30, "each is one command that can be copied"
    assert set(words) <= OTHERS | {"scrapy"}


@pytest.mark.requirement(257)
@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_exists_with_its_options(line: str) -> None:
    name, *words = line.split()[1:]
    command = import_module(MODULES[name]).Command()
    assert isinstance(command, LycosaCommand)
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    known = set(re.findall(r"--[\w-]+", parser.format_help()))
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.requirement(257)
def test_each_unit_is_there() -> None:
    units = set(re.findall(r"lycosa-[a-z]+", PAGE.partition("\n## systemd\n")[2]))
    assert units == {path.stem for path in (ROOT / "deploy").glob("*.service")}


@pytest.mark.requirement(257)
@pytest.mark.parametrize("message", sorted(re.findall(r"^\| exit code 2, (.+?) \|", RUNBOOK, re.MULTILINE)))
def test_each_message_is_one_of_ours(message: str) -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py"))
    for words in re.findall(r'"([^"]+)"', message):
        assert words in sources


@pytest.mark.requirement(257)
@pytest.mark.parametrize("key", ["bytes_per_second", "requests_per_second", "free_megabytes"])
def test_each_key_that_caps_a_crawl_is_one_of_crawl_toml(key: str) -> None:
    assert key in RUNBOOK
    assert re.search(
        rf"^# {key} = ", (ROOT / "engine" / "crawl.example.toml").read_text(encoding="utf-8"), re.M
    )
