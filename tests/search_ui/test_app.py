"""What the server answers, whatever it is sent."""

import re
import socket
import threading

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_ui import search_request
from search_ui.search_request import MAX_BODY_BYTES
from search_ui.server.guard import HEADERS, security_headers
from tests.search_ui.conftest import START_SECONDS, Site

FORM_HEAD = b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def send(site: Site, request: bytes) -> bytes:
    """The start of the answer to these very bytes."""
    with socket.create_connection(
        ("127.0.0.1", site.client.base_url.port), timeout=START_SECONDS
    ) as connection:
        connection.sendall(request)
        return connection.recv(65_536)


@pytest.mark.parametrize(
    ("method", "target", "status", "why"),
    [
        ("GET", "/", 200, "home"),
        ("HEAD", "/search?q=a", 200, "a head alone"),
        ("GET", "/health", 200, "alive"),
        ("GET", "/favicon.ico", 200, "browsers ask unasked"),
        ("GET", "/robots.txt", 200, "robots ask"),
        ("GET", "/static/style.css", 200, "the stylesheet"),
        ("GET", "/static/lycosa.js", 200, "what the pages run"),
        ("GET", "/embed", 200, "how other sites use it"),
        ("POST", "/static/embed.js", 405, "a file takes no form"),
        ("GET", "/static/", 404, "no listing"),
        ("GET", "/static", 404, "no redirect"),
        ("GET", "/static/../app.py", 404, "the client folds it"),
        ("GET", "/static/%2e%2e/app.py", 404, "outside static/"),
        ("GET", "/static/..%2f..%2fpyproject.toml", 404, "outside static/"),
        ("GET", "/static//etc/passwd", 404, "an absolute path"),
        ("GET", "/static/a%00b", 404, "NUL in a file name"),
        ("GET", "/static/" + 5_000 * "a", 404, "longer than a file name"),
        ("GET", "/search/", 404, "no redirect to what Host says"),
        ("GET", "/nothing", 404, "unknown"),
        ("GET", "/%ff%00", 404, "unknown, and not UTF-8"),
        ("DELETE", "/search?q=a", 405, "not a way to ask"),
        ("OPTIONS", "/", 405, "not a way to ask"),
        ("POST", "/", 405, "home takes no form"),
        ("POST", "/static/style.css", 405, "a file takes no form"),
        ("POST", "/search?q=a", 415, "no form in it"),
        ("GET", "/search?q=a&page=abc", 400, "no number"),
        ("GET", "/search?q=a&page=1" + 30 * "0", 400, "no such depth"),
        ("GET", "/search?" + 40 * "a=b&", 400, "too many fields"),
        ("GET", "/search?q=broken", 500, "our own fault"),
    ],
)
def test_statuses(site: Site, method: str, target: str, status: int, why: str) -> None:
    answer = site.get(target, method)
    assert answer.status_code == status, why
    assert {name: answer.headers.get(name) for name in HEADERS if name != "Cache-Control"} == {
        name: value for name, value in HEADERS.items() if name != "Cache-Control"
    }, why
    assert "Traceback" not in answer.text
    assert "secret" not in answer.text
    assert "Server" not in answer.headers


@pytest.mark.parametrize(
    ("public_url", "said", "why"),
    [
        ("https://search.example", "max-age=31536000", "a year"),
        ("http://search.example", None, "no https to come back to"),
        ("", None, "nobody knows how we are reached"),
    ],
)
def test_browsers_keep_to_https_where_there_is_https(public_url: str, said: str | None, why: str) -> None:
    """RFC 6797."""
    assert security_headers(public_url).get("Strict-Transport-Security") == said, why


def test_our_own_fault_says_as_much(site: Site) -> None:
    assert site.get("/search?q=broken").headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_refused_method_names_the_right_ones(site: Site) -> None:
    """RFC 9110, section 15.5.6."""
    allowed = site.get("/search", "DELETE").headers["Allow"]
    assert set(allowed.split(", ")) == {"GET", "HEAD", "POST"}


@pytest.mark.parametrize(
    ("target", "kept", "why"),
    [
        ("/search?q=a", "private, no-cache", "what one person asked"),
        ("/static/style.css", "public, max-age=3600", "the same for all"),
        ("/favicon.ico", "public, max-age=3600", "the same for all"),
        ("/static/nothing", "private, no-cache", "an error is not worth keeping"),
    ],
)
def test_what_caches_keep(site: Site, target: str, kept: str, why: str) -> None:
    assert site.get(target).headers["Cache-Control"] == kept, why


def test_the_icon_is_a_picture(site: Site) -> None:
    assert site.get("/favicon.ico").headers["Content-Type"] == "image/svg+xml"


def test_the_pages_keep_the_policy(site: Site) -> None:
    """The content security policy forbids inline scripts and styles, so no page has any."""
    for target in ("/", "/search?q=a", "/search?q=missing", "/embed", "/nothing"):
        page = site.get(target).text
        assert not re.search(r"<script(?! src=)|<style|\son\w+=|\sstyle=|javascript:", page)


@pytest.mark.parametrize(
    ("request_bytes", "status", "why"),
    [
        (
            b"GET /search?q=\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"400",
            "raw bytes in a request line",
        ),
        (b"GET /search?q=%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200", "bytes that are not UTF-8"),
        (b"GET /search?q=%ED%A0%80 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200", "a lone surrogate"),
        (b"GET /search/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421", "another's name"),
        (b"GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404", "no redirect off the site"),
        (b"GET /x HTTP/1.1\r\nHost: [\r\n\r\n", b"421", "a Host that is none"),
        (b"GET /" + 100_000 * b"a", b"400", "past MAX_HEAD_BYTES"),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"400", "TLS where there is none"),
        (FORM_HEAD + b"Content-Length: 5\r\n\r\nq=\xff\x00a", b"200", "bytes that are not UTF-8 in a form"),
        (
            FORM_HEAD + b"Content-Length: 70000\r\n\r\n" + 70_000 * b"a",
            b"413",
            "past MAX_BODY_BYTES, as announced",
        ),
        (
            FORM_HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"fff\r\n" + 4_095 * b"a" + b"\r\n",
            b"408",
            "a body that does not end",
        ),
    ],
)
def test_raw_requests(
    site: Site, monkeypatch: pytest.MonkeyPatch, request_bytes: bytes, status: bytes, why: str
) -> None:
    monkeypatch.setattr(search_request, "MAX_BODY_SECONDS", 0.2)
    answer = send(site, request_bytes)
    assert answer.split(b" ", 2)[1] == status, why
    assert b"evil" not in answer


def test_a_body_past_the_limit_is_refused(site: Site) -> None:
    answer = site.post(b"q=" + MAX_BODY_BYTES * b"a")
    assert answer.status_code == 413
    assert "at most 65,536 bytes" in answer.text


@pytest.mark.requirement(290)
def test_the_loop_stays_free_while_a_search_runs(site: Site) -> None:
    """One search does not hold up the others."""
    site.searcher.started.clear()
    site.searcher.go_on.clear()
    slow: list[httpx.Response] = []

    def ask() -> None:
        with httpx.Client(base_url=site.address, timeout=START_SECONDS, trust_env=False) as client:
            slow.append(client.get("/search?q=wait"))

    thread = threading.Thread(target=ask)
    thread.start()
    assert site.searcher.started.wait(START_SECONDS)
    assert site.get("/health").text == "ok"
    assert site.get("/search?q=a").status_code == 200
    site.searcher.go_on.set()
    thread.join(START_SECONDS)
    assert [answer.status_code for answer in slow] == [200]


@pytest.mark.requirement(296)
@given(typed=st.text(max_size=60), page=st.text(max_size=12) | st.integers().map(str))
@settings(max_examples=100)
def test_nothing_typed_breaks_the_page(served: Site, typed: str, page: str) -> None:
    """No 500, for people and for programs."""
    fields = {"q": typed.encode("utf-8", "surrogatepass"), "page": page.encode("utf-8", "surrogatepass")}
    query = "&".join(f"{name}={''.join(f'%{byte:02X}' for byte in value)}" for name, value in fields.items())
    for target in ("/search?", "/api/search?"):
        assert served.client.get(target + query).status_code in (200, 400)


@pytest.mark.parametrize("coding", ["gzip", "identity"])
@pytest.mark.parametrize("path", ["/static/style.css", "/static/embed.js", "/favicon.ico"])
def test_a_files_tag_stands_for_it_packed_and_unpacked(site: Site, path: str, coding: str) -> None:
    """RFC 9110, 8.8.3: a strong one would say that its bytes are the same."""
    answer = site.client.get(path, headers={"Accept-Encoding": coding})
    assert (answer.headers.get("Content-Encoding") == "gzip") is (
        coding == "gzip" and len(answer.content) > 999
    )
    assert re.fullmatch(r'W/"[0-9a-f]+"', answer.headers["ETag"])


@pytest.mark.parametrize("tag", ["weak", "strong"])
@pytest.mark.parametrize("path", ["/static/style.css", "/static/embed.js", "/favicon.ico", "/robots.txt"])
def test_a_file_that_has_not_changed_is_not_sent_again(site: Site, path: str, tag: str) -> None:
    """Tags are compared weakly (RFC 9110, 13.1.2): one that a cache has from before is as good."""
    first = site.get(path)
    known = first.headers["ETag"]
    headers = {"If-None-Match": known if tag == "weak" else known.removeprefix("W/")}
    answer = site.client.get(path, headers=headers)
    assert (answer.status_code, answer.headers["ETag"]) == (304, known)
    assert answer.headers["Cache-Control"] == first.headers["Cache-Control"]
