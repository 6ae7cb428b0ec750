"""Sends an alarm to a command, to a webhook, by mail. Each raises ChannelError, which says why not."""

import json
import logging
import os
import signal
import smtplib
import ssl
import subprocess
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from email.message import EmailMessage
from functools import partial
from tempfile import TemporaryFile

import urllib3

from engine.alerts.alert import Alert, describe_alert
from engine.config import AlertsConfig, MailConfig
from engine.monitor import legible

COMMAND_SECONDS = 30.0  # that the command may take; then it is killed, with all that it started
WEBHOOK_SECONDS = 10.0  # to connect, and then to answer
MAIL_SECONDS = 15.0  # for each answer of the mail server
MAX_OUTPUT = 300  # bytes of a command's last words
MAX_SUBJECT = 200  # characters of a mail's subject

Channel = Callable[[Alert], None]
logger = logging.getLogger("lycosa")


class ChannelError(Exception):
    """An alarm could not be sent; says why."""


def make_channels(config: AlertsConfig) -> Mapping[str, Channel]:
    """Makes the ways that crawl.toml names, by the word for each."""
    channels: dict[str, Channel] = {}
    if config.command:
        channels["command"] = partial(run_command, config.command)
    if config.webhook:
        channels["webhook"] = partial(post_webhook, config.webhook)
    if config.mail:
        channels["mail"] = partial(send_mail, config.mail)
    return channels


def run_command(command: tuple[str, ...], alert: Alert) -> None:
    """Runs a program without a shell, with the alarm on its standard input; exit code 0: it was told."""
    with TemporaryFile() as given, TemporaryFile() as said:
        given.write(_encode(alert))
        given.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's own words
                command, stdin=given, stdout=subprocess.DEVNULL, stderr=said, process_group=0
            )
        except OSError as error:
            raise ChannelError(f"{command[0]}: {error.strerror}") from error
        try:
            code = process.wait(COMMAND_SECONDS)
        except subprocess.TimeoutExpired as error:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise ChannelError(f"{command[0]} took longer than {COMMAND_SECONDS:.0f} s") from error
        if code:
            said.seek(max(said.seek(0, os.SEEK_END) - MAX_OUTPUT, 0))
            words = " ".join(said.read().decode("utf-8", "replace").split())
            raise ChannelError(f"{command[0]} ended with code {code}{words and f': {words}'}")


def post_webhook(url: str, alert: Alert) -> None:
    """Posts the alarm as JSON; only a status from 200 to 299 counts, and no redirect is followed.

    The address may be private: the operator has written it, no stranger (engine.middleware.address_guard).
    """
    try:
        with urllib3.PoolManager(retries=False) as pool:
            answer = pool.request(
                "POST",
                url,
                body=_encode(alert),
                headers={"Content-Type": "application/json", "User-Agent": "Lycosa"},
                timeout=urllib3.Timeout(connect=WEBHOOK_SECONDS, read=WEBHOOK_SECONDS),
                redirect=False,
                preload_content=False,
            )
            answer.close()  # what else it says is not read
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise ChannelError(f"the webhook cannot be reached: {_name_cause(error)}") from error
    if not 200 <= answer.status < 300:
        raise ChannelError(f"the webhook answered {answer.status}")


def send_mail(config: MailConfig, alert: Alert) -> None:
    """Mails the alarm; who is refused while others are not is named in the log."""
    try:
        server = _connect(config)
        try:
            refused = server.send_message(compose_mail(config, alert))
        finally:
            with suppress(OSError, smtplib.SMTPException):
                server.quit()
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise ChannelError(
            f"the mail server {config.server} does not take it: {_name_cause(error)}"
        ) from error
    if refused:
        logger.warning("the mail server %s refuses mail to %s", config.server, ", ".join(sorted(refused)))


def _connect(config: MailConfig) -> smtplib.SMTP:
    """Connects and logs in, over TLS unless crawl.toml says otherwise."""
    context = ssl.create_default_context()
    if config.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            config.server, config.port, timeout=MAIL_SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(config.server, config.port, timeout=MAIL_SECONDS)
    with ExitStack() as failed:
        failed.callback(server.close)
        if config.security == "starttls":
            server.starttls(context=context)  # raises where the server has none: nothing is sent readably
        if config.user:
            server.login(config.user, config.password)
        failed.pop_all()
    return server


def compose_mail(config: MailConfig, alert: Alert) -> EmailMessage:
    """Composes a mail. Hosts and their words are a stranger's: no header gets a line end of theirs."""
    told = describe_alert(alert)
    mail = EmailMessage()
    mail["Subject"] = _one_line(str(told["text"]))[:MAX_SUBJECT]
    mail["From"], mail["To"] = _one_line(config.sender), ", ".join(map(_one_line, config.receivers))
    # The same where a kill has it sent again, by which mail programs show it once.
    mail["Message-ID"] = f"<{alert.id}.{alert.status}@{_one_line(config.sender.rpartition('@')[2])}>"
    mail["Auto-Submitted"] = "auto-generated"  # RFC 3834, 5: no vacation answers
    if alert.status != "open":
        mail["In-Reply-To"] = f"<{alert.id}.open@{_one_line(config.sender.rpartition('@')[2])}>"
    lines = [alert.line, "", f"Since: {told['since']}"]
    lines += [f"Until: {told['until']}"] if told["until"] else []
    lines += ["", alert.advice] if alert.status != "over" and alert.advice else []
    lines += ["", f"Machine: {told['machine']}, kind: {alert.kind}", "'scrapy alerts' shows what is open."]
    mail.set_content("\n".join(map(legible, lines)) + "\n")
    return mail


def _encode(alert: Alert) -> bytes:
    return json.dumps(describe_alert(alert)).encode("ascii") + b"\n"


def _one_line(text: str) -> str:
    return " ".join(legible(text).split())


def _name_cause(error: BaseException) -> str:
    """Formats an error in one short line."""
    reason = getattr(error, "reason", None)  # of urllib3's errors: the one that it comes from
    reason = reason if isinstance(reason, BaseException) else error
    return legible(str(reason) or type(reason).__name__)[:MAX_OUTPUT]
