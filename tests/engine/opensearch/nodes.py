"""Nodes on loopback whose every answer is written by the test, as no real cluster would fail on demand."""

import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.web.scripted import Answer, Route, Site, scripted_web

ROOT = {"version": {"distribution": "opensearch", "number": "2.19.6"}}
SILENT = Answer(delay=60)  # longer than any test waits: the client has left by then


def answer(body: object, status: int = 200) -> Answer:
    """Answers JSON."""
    return Answer(status, json.dumps(body), {"Content-Type": "application/json; charset=UTF-8"})


def refuse(status: int, kind: str, reason: str) -> Answer:
    """Answers an error as OpenSearch writes one."""
    cause = {"type": kind, "reason": reason}
    return answer({"error": {"root_cause": [cause], **cause}, "status": status}, status)


@contextmanager
def run_node(routes: Mapping[str, Route] | None = None) -> Iterator[Site]:
    """Runs a node that is known for OpenSearch, and answers what `routes` say besides."""
    with scripted_web({"/": answer(ROOT)} | dict(routes or {})) as node:
        yield node


def locate(*nodes: Site) -> str:
    """The location of a cluster of these nodes."""
    return "opensearch+http://" + ",".join(f"{node.address}:{node.port}" for node in nodes)


class _Root(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = json.dumps({**ROOT, "login": self.headers.get("Authorization")}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Says nothing of clients that do not trust it."""


@contextmanager
def run_tls_node(certificate: tuple[Path, Path]) -> Iterator[int]:
    """Runs a node that speaks TLS alone, and tells by which login it was asked; yields its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with _Server(("127.0.0.1", 0), _Root) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
