"""The table [alerts] of crawl.toml."""

from pathlib import Path

import pytest

from engine.config import AlertsConfig, MailConfig
from engine.errors import EngineError
from tests.engine.config.test_load import read

MAIL = '[alerts]\nsmtp = "mail.example"\nmail_to = ["you@b.example"]\nmail_from = "l@b.example"\n'


def test_without_a_word_nobody_is_told(tmp_path: Path) -> None:
    assert read(tmp_path, None).alerts == read(tmp_path, "[alerts]").alerts == AlertsConfig()


def test_all_that_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYCOSA_SMTP_PASSWORD", "p")
    config = read(
        tmp_path,
        'contact = "a@b.example"\n[alerts]\ncommand = ["/bin/notify", "-x y"]\nwebhook = "http://10.0.0.1/hook?k=1"\n'
        'smtp = "mail.example:2525"\nsmtp_security = "tls"\nsmtp_user = "u"\n'
        'mail_to = ["you@b.example", "x+y@b.example"]\n',
    ).alerts
    assert config.command == ("/bin/notify", "-x y")
    assert config.webhook == "http://10.0.0.1/hook?k=1"
    receivers = ("you@b.example", "x+y@b.example")
    assert config.mail == MailConfig("mail.example", 2525, "tls", "u", "p", "a@b.example", receivers)


@pytest.mark.parametrize(("security", "port"), [("starttls", 587), ("tls", 465), ("none", 25)])
def test_the_usual_ports(tmp_path: Path, security: str, port: int) -> None:
    mail = read(tmp_path, f'{MAIL}smtp_security = "{security}"').alerts.mail
    assert mail
    assert (mail.port, mail.sender) == (port, "l@b.example")


def test_a_webhook_with_a_key_is_read_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYCOSA_ALERTS_WEBHOOK", "https://chat.example/T0/B0/key")
    assert read(tmp_path, None).alerts.webhook == "https://chat.example/T0/B0/key"
    monkeypatch.setenv("LYCOSA_ALERTS_WEBHOOK", "chat.example")
    with pytest.raises(EngineError, match="LYCOSA_ALERTS_WEBHOOK is no URL"):
        read(tmp_path, None)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('command = "notify"', "write a list of texts"),
        ('command = ["notify"]', "is no whole path"),
        ('command = ["/bin/x", "a\\u0000"]', "null character"),
        ('webhook = "chat.example/hook"', "no URL to post to"),
        ('webhook = "ftp://chat.example/hook"', "no URL to post to"),
        ('webhook = "http:///hook"', "no URL to post to"),
        ('webhook = "http://h:99999/"', "no URL to post to"),
        ('webhook = "http://h/\\nX: y"', "no URL to post to"),
        ('webhook = "http://[::1/"', "no URL to post to"),
        ('mail_to = ["a@b.example"]', 'write smtp = "mail.example.org" above it'),
        ('smtp = "m.example"', "needs mail_to"),
        ('smtp = "m.example"\nmail_to = []', "needs mail_to"),
        (f'smtp = "m.example"\nmail_to = {["a@b.example"] * 21}', "1 to 20 addresses"),
        ('smtp = "m.example"\nmail_to = ["a@b.example"]', "mails need a sender"),
        ('smtp = "m example"\nmail_to = ["a@b.example"]', "is no mail server"),
        ('smtp = "m.example:0"\nmail_to = ["a@b.example"]', "is no mail server"),
        ('smtp = "m.example:70000"\nmail_to = ["a@b.example"]', "is no mail server"),
        ('smtp = "m.example"\nmail_to = ["a@b.example\\nBcc: c@d.example"]', "no mail address"),
        ('smtp = "m.example"\nmail_to = ["a@b.example"]\nmail_from = "a b@c"', "mails need a sender"),
        ('smtp = "m.example"\nmail_to = ["a@b.example"]\nsmtp_user = "u"', "LYCOSA_SMTP_PASSWORD"),
        (
            'smtp = "m.example"\nmail_to = ["a@b.example"]\nsmtp_security = "ssl"',
            "write one of starttls, tls",
        ),
        ('mail = "a@b.example"', "mail is unknown"),
    ],
)
def test_what_nobody_could_be_told_by(tmp_path: Path, written: str, says: str) -> None:
    with pytest.raises(EngineError, match=r"crawl\.toml, line [2-5]") as raised:
        read(tmp_path, f"[alerts]\n{written}")
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_no_password_goes_readably(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYCOSA_SMTP_PASSWORD", "p")
    with pytest.raises(EngineError, match='write "starttls" or "tls"'):
        read(tmp_path, f'{MAIL}smtp_user = "u"\nsmtp_security = "none"')
