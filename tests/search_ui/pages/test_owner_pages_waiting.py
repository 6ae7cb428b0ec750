"""Few wait for work that takes long, and nothing else waits for it."""

import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import pytest
from starlette.responses import Response

from search_ui.app import create_app
from search_ui.pages import owner_pages
from search_ui.pages.owner_pages import CHECKS, MAX_WAITING
from tests.running import until
from tests.search_ui.conftest import IDENTITY, START_SECONDS, Searcher, answering

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DRIPPING = (
    b"POST /robot/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nrobots="
)


def test_few_wait_for_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are told to come again; whoever drips his form takes no place, and searches go on."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(body: bytes) -> Response:
        begun.set()
        go_on.wait(START_SECONDS)
        return Response(body)

    monkeypatch.setattr(owner_pages, "_answer", slow)
    app = create_app(Searcher(), lambda: None, IDENTITY)
    with answering(app) as client, ThreadPoolExecutor(20) as owners, ExitStack() as closing:
        port = client.base_url.port or 0
        for _ in range(2 * MAX_WAITING):
            connection = closing.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(DRIPPING)
        ask = partial(client.post, "/robot/check", content=b"url=a", headers=FORM)
        asked = [owners.submit(ask)]
        assert begun.wait(START_SECONDS)
        asked += [owners.submit(ask) for _ in range(MAX_WAITING + 3)]
        try:
            until(lambda: sum(one.done() for one in asked) == 3, "three to be refused")
            assert client.get("/search?q=a").status_code == 200
        finally:
            go_on.set()
        answers = Counter(
            (one.result().status_code, one.result().headers.get("Retry-After")) for one in asked
        )
    assert answers == {(200, None): CHECKS + MAX_WAITING, (503, "2"): 3}
