"""Scripted sites do what they are told, however rude, and stay quiet about it."""

import http.client
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.web.client import TIMEOUT, fetch
from tests.web.scripted import Answer, Site, html, pages, scripted_web


@pytest.fixture
def site() -> Iterator[Site]:
    with scripted_web() as running:
        yield running


def test_a_scripted_site_answers_by_its_routes(site: Site) -> None:
    site.routes["/"] = html("Home", "<p>hello</p>", '<meta name="robots" content="noindex">')
    site.routes["/made"] = lambda path: Answer(body=path)
    site.routes["/made?page=2"] = Answer(204)
    site.routes["/odd"] = Answer(
        599, b"\xff", [("Content-Type", ""), ("X-Robots-Tag", "a"), ("X-Robots-Tag", "b")]
    )
    assert b"<h1>Home</h1>" in fetch(site.url("/"))[2]
    assert fetch(site.url("/made?page=1"))[2] == b"/made?page=1"
    assert fetch(site.url("/made?page=2"))[0] == 204
    assert fetch(site.url("/nowhere"))[0] == 404
    status, headers, body = fetch(site.url("/odd"))
    assert (status, body) == (599, b"\xff")
    assert headers == {"Content-Length": "1", "X-Robots-Tag": "b"}
    assert site.paths == ["/", "/made?page=1", "/made?page=2", "/nowhere", "/odd"]


def test_one_function_may_answer_every_path() -> None:
    with scripted_web(lambda path: Answer(body=path), address="127.9.8.7") as site:
        assert site.url("/x").startswith("http://127.9.8.7:")
        assert fetch(site.url("/any/where"))[2] == b"/any/where"


def test_a_scripted_site_waits_and_drips(site: Site) -> None:
    site.routes["/"] = Answer(body="abc", delay=0.05, drip=0.01)
    assert fetch(site.url("/"))[2] == b"abc"
    with scripted_web() as other:
        fetch(other.url("/"))
    assert other.log[0].start < other.log[0].end
    assert site.log[0].end - site.log[0].start >= 0.05


@pytest.mark.parametrize(
    ("answer", "error", "why"),
    [
        (Answer(drop=True), http.client.RemoteDisconnected, "the connection closes without an answer"),
        (Answer(raw=b"SSH-2.0\r\n"), http.client.BadStatusLine, "not HTTP"),
        (
            Answer(headers={"Content-Length": "9"}, body="abc"),
            TimeoutError,
            "a length that is not true",
        ),
    ],
)
def test_a_scripted_site_can_be_rude(site: Site, answer: Answer, error: type[Exception], why: str) -> None:
    site.routes["/"] = answer
    connection = http.client.HTTPConnection(
        site.address, site.port, timeout=0.2 if error is TimeoutError else TIMEOUT
    )
    connection.request("GET", "/")
    with pytest.raises(error):
        connection.getresponse().read()
    connection.close()


def test_an_endless_body_ends_when_the_client_leaves(site: Site) -> None:
    site.routes["/"] = Answer(body=itertools.repeat(b"x" * 1000))
    with socket.create_connection((site.address, site.port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert b"200 OK" in client.recv(100)
    assert fetch(site.url("/nowhere"))[0] == 404


def test_junk_is_no_request(site: Site) -> None:
    with socket.create_connection((site.address, site.port), timeout=TIMEOUT) as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert client.recv(100) == b""
    assert site.log == []


def test_a_site_closes_at_once_though_an_answer_is_pending() -> None:
    with (
        scripted_web({"/": Answer(delay=1000)}) as site,
        socket.create_connection((site.address, site.port)) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        while not site.log:
            time.sleep(0.001)
    assert site.log[0].end > site.log[0].start


def test_pages_differ_and_link_as_told() -> None:
    with scripted_web(pages({"/": ["/a", "/b"], "/a": ["/"], "/b": []})) as site:
        home = fetch(site.url("/"))[2].decode()
        assert '<a href="/a">/a</a>' in home
        assert '<a href="/b">/b</a>' in home
        texts = {fetch(site.url(path))[2] for path in ("/", "/a", "/b")}
    assert len(texts) == 3


def test_fifty_sites_and_hundreds_of_requests_at_once() -> None:
    with ExitStack() as running:
        sites = [running.enter_context(scripted_web({"/": html("Home")})) for _ in range(50)]
        threads = [
            threading.Thread(target=lambda site=site: [fetch(site.url("/")) for _ in range(8)])
            for site in sites
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(len(site.log) for site in sites) == 400
