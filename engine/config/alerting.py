"""Reads [alerts] of crawl.toml: who is told when something is wrong.

Passwords stay out of the file: they are read from the environment.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from engine.config.table import Table
from engine.errors import EngineError

WEBHOOK_VARIABLE = "LYCOSA_ALERTS_WEBHOOK"  # a URL with a key in it
PASSWORD_VARIABLE = "LYCOSA_SMTP_PASSWORD"  # noqa: S105 - the name of a variable
SECURITY = ("starttls", "tls", "none")
PORTS = {"starttls": 587, "tls": 465, "none": 25}  # RFC 6409, 3.1; RFC 8314, 3.3; RFC 5321, 4.5.4.2
MAX_RECEIVERS = 20  # of one mail
_SERVER = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?")
# What RFC 5321 allows and people have: no quotes, no spaces, nothing that begins a new line.
_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class MailConfig:
    """How alarms are mailed; checked as it is read."""

    server: str
    port: int
    security: str  # one of SECURITY
    user: str  # '': no login
    password: str = field(repr=False)
    sender: str
    receivers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlertsConfig:
    """Who is told of alarms; nobody where all is empty."""

    command: tuple[str, ...] = ()  # a program and its arguments
    webhook: str = field(default="", repr=False)
    mail: MailConfig | None = None


def read_alerts(table: Table, contact: str, environment: Mapping[str, str]) -> AlertsConfig:
    """Reads the table [alerts]. Raises EngineError for what cannot be sent by.

    `contact` is who sends mails where `mail_from` is not written, if it is an address.
    """
    table.check_keys(
        *("command", "webhook", "smtp", "smtp_security", "smtp_user", "mail_from", "mail_to"),
    )
    webhook = environment.get(WEBHOOK_VARIABLE, "")
    return AlertsConfig(
        command=_read_command(table),
        webhook=_check_webhook(webhook, WEBHOOK_VARIABLE)
        or _check_webhook(table.text("webhook"), table.where("webhook")),
        mail=_read_mail(table, contact, environment.get(PASSWORD_VARIABLE, "")),
    )


def _read_command(table: Table) -> tuple[str, ...]:
    words = table.texts("command")
    if words and not Path(words[0]).is_absolute():
        raise EngineError(
            f"{table.where('command')}: {words[0]!r} is no whole path, and no shell looks for it; write, "
            'for example, ["/usr/local/bin/notify", "--lycosa"]'
        )
    if any("\0" in word for word in words):
        raise EngineError(f"{table.where('command')}: an argument cannot hold a null character")
    return words


def _check_webhook(url: str, where: str) -> str:
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if url and (not is_usable or not url.isascii() or not url.isprintable() or " " in url):
        raise EngineError(
            f'{where} is no URL to post to; write, for example, "https://chat.example.org/hook"'
        )
    return url


def _read_mail(table: Table, contact: str, password: str) -> MailConfig | None:
    """Reads how to mail; None where no server is named."""
    server, receivers = table.text("smtp"), table.parsed("mail_to", _parse_mail, "you@example.org")
    if not server:
        if receivers:
            raise EngineError(
                f'{table.where("mail_to")} needs a server; write smtp = "mail.example.org" above it'
            )
        return None
    if not 1 <= len(receivers) <= MAX_RECEIVERS:
        raise EngineError(f"{table.where('smtp')} needs mail_to = [...] with 1 to {MAX_RECEIVERS} addresses")
    name, port = _parse_server(server, table.where("smtp"))
    security, user = table.choice("smtp_security", SECURITY), table.text("smtp_user")
    if user and not password:
        raise EngineError(
            f"{table.where('smtp_user')}: set its password in the environment, as {PASSWORD_VARIABLE}"
        )
    if user and security == "none":
        raise EngineError(
            f'{table.where("smtp_security")}: "none" sends the password readably; write "starttls" or "tls"'
        )
    sender = table.text("mail_from") or contact
    if not _MAIL.fullmatch(sender):
        raise EngineError(
            f"{table.where('mail_from' if table.text('mail_from') else 'smtp')}: mails need a sender; write "
            'mail_from = "lycosa@example.org"'
        )
    return MailConfig(name, port or PORTS[security], security, user, password, sender, receivers)


def _parse_server(text: str, where: str) -> tuple[str, int]:
    """Parses a mail server's name, or name:port; port 0: the usual one."""
    match = _SERVER.fullmatch(text)
    if not match or int(match[2] or 1) not in range(1, 65_536):
        raise EngineError(f'{where}: {text!r} is no mail server; write, for example, "mail.example.org:587"')
    return match[1].strip("[]"), int(match[2] or 0)


def _parse_mail(text: str) -> str:
    if not _MAIL.fullmatch(text):
        raise ValueError("no mail address")
    return text
