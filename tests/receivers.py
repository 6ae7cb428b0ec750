"""Receivers of alarms on loopback: a webhook and a mail server, which keep what came."""

import base64
import json
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast


@dataclass
class Webhook:
    """What was posted; `status` is what the next are answered."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    posted: list[dict[str, Any]] = field(default_factory=list)
    got: list[dict[str, Any]] = field(default_factory=list)  # with headers


@contextmanager
def webhook() -> Iterator[Webhook]:
    """A web server that takes POST."""
    kept = Webhook()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            kept.got.append({"type": self.headers["Content-Type"], "path": self.path})
            if kept.status < 300:
                kept.posted.append(body)
            self.send_response(kept.status)
            for name, value in kept.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server, _serving(server):
        kept.url = f"http://127.0.0.1:{server.server_port}/hook"
        yield kept


@dataclass
class Mailbox:
    """What was mailed; `refuses`: how it answers the next MAIL command, '' to take all."""

    port: int = 0
    refuses: str = ""
    logins: list[tuple[str, str]] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)  # commands that came without TLS
    receivers: list[list[str]] = field(default_factory=list)
    mails: list[EmailMessage] = field(default_factory=list)
    quits_badly: bool = False


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def mail_server(certificate: tuple[Path, Path] | None = None, *, at_once: bool = False) -> Iterator[Mailbox]:
    """A mail server (RFC 5321), with STARTTLS where it has a certificate, or TLS `at_once`."""
    kept = Mailbox()
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)

    class Conversation(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with ExitStack() as open_ones, suppress(OSError):

                def wrap(peer: Any) -> Any:
                    assert context
                    return open_ones.enter_context(context.wrap_socket(peer, server_side=True))

                _converse(self.request, kept, wrap if context else None, at_once=at_once)

    with _Server(("127.0.0.1", 0), Conversation) as server, _serving(server):
        kept.port = cast("tuple[str, int]", server.server_address)[1]
        yield kept


def _converse(peer: Any, kept: Mailbox, wrap: Callable[[Any], Any] | None, *, at_once: bool) -> None:
    is_safe = at_once
    peer = wrap(peer) if wrap and at_once else peer
    lines, receivers = peer.makefile("rb"), list[str]()

    def say(text: str) -> None:
        peer.sendall(f"{text}\r\n".encode())

    say("220 mail.example ESMTP")
    while line := lines.readline().decode().strip():
        word = line.split()[0].upper()
        if not is_safe:
            kept.readable.append(word)
        if word == "STARTTLS" and wrap:
            say("220 go ahead")
            peer, is_safe = wrap(peer), True
            lines = peer.makefile("rb")
            continue
        if word == "DATA":
            say("354 go ahead")
            _take_mail(lines, kept, receivers)
        elif word == "RCPT":
            receivers.append(line.partition(":")[2].strip("<> "))
        elif word == "AUTH":
            _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
            kept.logins.append((user, password))
        offered = "250-AUTH PLAIN" if is_safe else "250-STARTTLS" if wrap else "250-SIZE"
        answers = {
            "EHLO": f"250-mail.example\r\n{offered}\r\n250 8BITMIME",
            "AUTH": "235 welcome",
            "MAIL": kept.refuses or "250 OK",
            "QUIT": "500 never heard of" if kept.quits_badly else "221 bye",
        }
        say(answers.get(word, "250 OK"))


def _take_mail(lines: Any, kept: Mailbox, receivers: list[str]) -> None:
    body = b""
    while (part := lines.readline()) != b".\r\n":
        body += part
    kept.mails.append(message_from_bytes(body, policy=policy.default))
    kept.receivers.append(receivers)


@contextmanager
def _serving(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
