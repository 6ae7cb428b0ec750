"""`scrapy alerts`: what is open, for people and as JSON, and a test alarm by every way."""

import json
from pathlib import Path

import pytest

from engine.alerts.alert import AlertKind, Finding
from engine.alerts.ledger import record_findings
from engine.database import ALERTS, write_side
from tests.receivers import mail_server, webhook
from tests.running import scrapy

BEGAN = 1_800_000_000.0


def write_toml(data: Path, *lines: str) -> None:
    (data / "crawl.toml").write_text("\n".join(["[alerts]", *lines]), encoding="utf-8")


def test_without_alarms(tmp_path: Path) -> None:
    assert scrapy(tmp_path, "alerts").stdout == "no alarm is open\n"
    assert json.loads(scrapy(tmp_path, "alerts", "--json").stdout) == {"alerts": []}
    assert not (tmp_path / ALERTS.file).exists(), "who only looks leaves nothing"


def test_what_is_open(tmp_path: Path) -> None:
    found = [
        Finding(AlertKind.HOST_DOWN, "http://h.example", True, BEGAN, "h is \x1b[31mdown", "look"),
        Finding(AlertKind.STALL, "crawl", True, BEGAN, "it stalls", "wait", hold=900),
    ]
    with write_side(tmp_path, ALERTS) as ledger:
        record_findings(ledger, found, (), BEGAN)
    assert scrapy(tmp_path, "alerts").stdout == (
        "h is \\x1b[31mdown\n    host-down, since 2027-01-15T08:00:00+00:00\n    look\n"
    ), "what is held back is not open yet"
    (alert,) = json.loads(scrapy(tmp_path, "alerts", "--json").stdout)["alerts"]
    assert (alert["kind"], alert["subject"], alert["status"]) == ("host-down", "http://h.example", "open")
    assert (alert["since"], alert["what_to_do"]) == ("2027-01-15T08:00:00+00:00", "look")


def test_a_test_alarm_goes_every_way(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with webhook() as hook, mail_server() as box:
        write_toml(
            tmp_path,
            f'command = ["/bin/cp", "/dev/stdin", "{kept}"]',
            f'webhook = "{hook.url}"',
            f'smtp = "127.0.0.1:{box.port}"\nsmtp_security = "none"',
            'mail_to = ["you@l.example"]\nmail_from = "lycosa@l.example"',
        )
        done = scrapy(tmp_path, "alerts", "test")
        assert done.stdout == "command: sent\nwebhook: sent\nmail: sent\n"
        (posted,), (mail,) = hook.posted, box.mails
    assert json.loads(kept.read_text()) == posted
    assert (posted["kind"], posted["status"], posted["text"]) == (
        "test",
        "test",
        "Lycosa: this is a test alarm",
    )
    assert mail["Subject"] == "Lycosa: this is a test alarm"
    assert scrapy(tmp_path, "alerts").stdout == "no alarm is open\n"


def test_a_way_that_does_not_work_is_exit_code_1(tmp_path: Path) -> None:
    """The others are tried all the same."""
    with webhook() as hook:
        write_toml(tmp_path, f'command = ["/bin/false"]\nwebhook = "{hook.url}"')
        done = scrapy(tmp_path, "alerts", "test", code=1)
        assert done.stdout == "command: could not be sent: /bin/false ended with code 1\nwebhook: sent\n"
        done = scrapy(tmp_path, "alerts", "test", "--json", code=1)
    assert json.loads(done.stdout) == {
        "test": [
            {"channel": "command", "sent": False, "error": "/bin/false ended with code 1"},
            {"channel": "webhook", "sent": True, "error": ""},
        ]
    }
    assert len(hook.posted) == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [(["test"], "names nobody to tell"), (["tset"], "unexpected 'tset', write 'test' or nothing")],
)
def test_what_it_cannot_do(tmp_path: Path, words: list[str], says: str) -> None:
    done = scrapy(tmp_path, "alerts", *words, code=2)
    assert says in done.stderr
