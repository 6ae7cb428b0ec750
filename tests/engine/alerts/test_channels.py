"""The ways by which an operator is told: real programs, a real web server and a real mail server."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.alerts import channels
from engine.alerts.alert import Alert, AlertKind
from engine.alerts.channels import (
    ChannelError,
    compose_mail,
    make_channels,
    post_webhook,
    run_command,
    send_mail,
)
from engine.config import AlertsConfig, MailConfig
from tests.certificates import self_signed
from tests.receivers import mail_server, webhook

SINCE = 1_800_000_000.0
ALERT = Alert("a1", "open", AlertKind.HOST_DOWN, "http://h.example", SINCE, None, "h is down", "look")
OVER = ALERT._replace(status="over", until=SINCE + 7_200)
HOSTILE = ALERT._replace(
    message="h\r\nBcc: victim@x.example\r\n\r\nbody \x1b[31m\u2028 down", subject="http://h\nX-Evil: 1"
)


def mail_config(port: int, **fields: Any) -> MailConfig:
    usual = {"security": "none", "user": "", "password": "", "sender": "lycosa@l.example"}
    return MailConfig("127.0.0.1", port, receivers=("you@l.example",), **{**usual, **fields})


def program(folder: Path, text: str) -> tuple[str, ...]:
    path = folder / "told.py"
    path.write_text(text, "utf-8")
    return (sys.executable, str(path), "two words; touch x", "$HOME")


def test_a_command_gets_json_on_its_input_and_its_words_as_they_are(tmp_path: Path) -> None:
    """No shell reads them."""
    kept = tmp_path / "kept.json"
    text = f"import json, sys\njson.dump([json.load(sys.stdin), sys.argv[1:]], open({str(kept)!r}, 'w'))"
    run_command(program(tmp_path, text), ALERT)
    told, words = json.loads(kept.read_text())
    assert words == ["two words; touch x", "$HOME"]
    assert told == {
        "id": "a1",
        "status": "open",
        "kind": "host-down",
        "subject": "http://h.example",
        "since": "2027-01-15T08:00:00+00:00",
        "until": None,
        "seconds": None,
        "times": 1,
        "message": "h is down",
        "what_to_do": "look",
        "machine": told["machine"],
        "text": "Lycosa: h is down",
    }


FAILING = [
    ("import sys; sys.exit('no route\\nto it')", r"ended with code 1: no route to it", "it fails"),
    ("import os; os.kill(os.getpid(), 9)", "ended with code -9", "it is killed"),
    ("import sys; sys.stderr.write('x' * 10**6); sys.exit(3)", "code 3: x{300}$", "it says too much"),
]


@pytest.mark.parametrize(("text", "says", "why"), FAILING, ids=[row[-1] for row in FAILING])
def test_a_command_that_fails(tmp_path: Path, text: str, says: str, why: str) -> None:
    with pytest.raises(ChannelError, match=says):
        run_command(program(tmp_path, text), ALERT)


def test_a_command_that_reads_nothing_was_told(tmp_path: Path) -> None:
    run_command(("/bin/true",), ALERT._replace(message="x" * 1_000_000))


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(ChannelError, match="/not/there: No such file"):
        run_command(("/not/there",), ALERT)


def test_a_command_that_hangs_is_killed_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "COMMAND_SECONDS", 0.5)
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('x'); time.sleep(0.01)"
    text = (
        f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)"
    )
    with pytest.raises(ChannelError, match="took longer than"):
        run_command(program(tmp_path, text), ALERT)
    time.sleep(0.1)
    size = beat.stat().st_size if beat.exists() else 0
    time.sleep(0.2)
    assert (beat.stat().st_size if beat.exists() else 0) == size


def test_a_webhook_gets_json() -> None:
    with webhook() as hook:
        post_webhook(f"{hook.url}?key=a%20b", OVER)
    assert hook.got == [{"type": "application/json", "path": "/hook?key=a%20b"}]
    assert hook.posted[0]["text"] == "Lycosa: over, after 2 h 0 min: h is down"
    assert hook.posted[0]["seconds"] == 7_200


@pytest.mark.parametrize("status", [301, 307, 400, 404, 500, 503])
def test_a_webhook_that_does_not_take_it(status: int) -> None:
    """A redirect is followed nowhere: what the operator wrote is where it goes."""
    with webhook() as hook, webhook() as other:
        hook.status, hook.headers = status, {"Location": other.url}
        with pytest.raises(ChannelError, match=f"answered {status}"):
            post_webhook(hook.url, ALERT)
    assert other.posted == []
    assert len(hook.got) == 1


def test_a_webhook_that_cannot_be_reached_or_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "WEBHOOK_SECONDS", 0.3)
    with pytest.raises(ChannelError, match=r"cannot be reached: .*refused"):
        post_webhook("http://127.0.0.1:9/", ALERT)
    with mail_server() as box, pytest.raises(ChannelError, match="cannot be reached"):  # it speaks no HTTP
        post_webhook(f"http://127.0.0.1:{box.port}/", ALERT)
    assert box.mails == []


def test_a_mail() -> None:
    with mail_server() as box:
        send_mail(mail_config(box.port), ALERT)
        send_mail(mail_config(box.port), OVER)
    first, last = box.mails
    assert (first["Subject"], first["From"], first["To"]) == (
        "Lycosa: h is down",
        "lycosa@l.example",
        "you@l.example",
    )
    assert "Since: 2027-01-15T08:00:00" in first.get_content()
    assert "look" in first.get_content().splitlines()
    assert last["In-Reply-To"] == first["Message-ID"] != last["Message-ID"]
    assert "look" not in last.get_content()
    assert box.receivers == [["you@l.example"], ["you@l.example"]]


def test_no_line_of_a_stranger_becomes_a_header_of_a_mail() -> None:
    with mail_server() as box:
        send_mail(mail_config(box.port, sender="l@l.example"), HOSTILE)
    (mail,) = box.mails
    assert {"bcc", "x-evil"}.isdisjoint(name.lower() for name in mail)
    assert box.receivers == [["you@l.example"]]
    assert "\x1b" not in mail.as_string()
    assert len(str(compose_mail(mail_config(1), ALERT._replace(message="x" * 10_000))["Subject"])) <= 200


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_password_goes_over_tls_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    certificate = self_signed(tmp_path)
    with mail_server(certificate, at_once=security == "tls") as box:
        config = mail_config(box.port, security=security, user="u", password="p")
        with pytest.raises(ChannelError, match=r"[Cc]ertificate"):
            send_mail(config, ALERT)
        assert (box.mails, box.logins) == ([], [])
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        send_mail(config, ALERT)
    assert (len(box.mails), box.logins) == (1, [("u", "p")])
    assert set(box.readable) <= {"EHLO", "STARTTLS"}


def test_starttls_is_not_given_up_where_a_server_has_none() -> None:
    with mail_server() as box, pytest.raises(ChannelError, match="STARTTLS"):
        send_mail(mail_config(box.port, security="starttls"), ALERT)
    assert "MAIL" not in box.readable


def test_a_mail_server_that_refuses() -> None:
    with mail_server() as box:
        box.refuses = "451 try later"
        with pytest.raises(ChannelError, match="try later"):
            send_mail(mail_config(box.port), ALERT)
    with pytest.raises(ChannelError, match="refused"):
        send_mail(mail_config(box.port), ALERT)


def test_a_mail_server_that_ends_badly_has_taken_the_mail() -> None:
    """Else it would be sent twice."""
    with mail_server() as box:
        box.quits_badly = True
        send_mail(mail_config(box.port), ALERT)
    assert len(box.mails) == 1


def test_only_what_is_written_is_used() -> None:
    assert dict(make_channels(AlertsConfig())) == {}
    whole = AlertsConfig(("/bin/true",), "http://127.0.0.1/", mail_config(25))
    assert list(make_channels(whole)) == ["command", "webhook", "mail"]
    assert "secret" not in repr(
        AlertsConfig(webhook="http://h/secret", mail=mail_config(1, password="secret"))
    )
