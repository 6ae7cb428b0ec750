"""Cookies of one host: from a file, and from its answers."""

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import Response

from engine.errors import EngineError
from engine.login.cookies import MAX_COOKIE_BYTES, MAX_COOKIES, HostCookies, read_cookie_file

HOST = "https://wiki.example.org"
LATER, BEFORE = "9999999999", "1000000000"


def read(folder: Path, *lines: str, host: str = HOST) -> HostCookies:
    file = folder / "cookies.txt"
    file.write_text("\n".join(lines))
    file.chmod(0o600)
    return HostCookies(read_cookie_file(file, host, "here"))


def sent(cookies: HostCookies, url: str = f"{HOST}/a") -> str:
    """The header of a request."""
    request = Request(url)
    cookies.add_header(request)
    return (request.headers.get(b"Cookie") or b"").decode()


ROWS = [
    (f"wiki.example.org\tFALSE\t/\tTRUE\t{LATER}\tsid\tv", "sid=v", "of the host itself"),
    (f".example.org\tTRUE\t/\tFALSE\t{LATER}\tsid\tv", "sid=v", "of all hosts of the domain"),
    ("#HttpOnly_wiki.example.org\tFALSE\t/\tTRUE\t0\tsid\tv", "sid=v", "of a session, and for no script"),
    (
        "wiki.example.org\tFALSE\t/\tFALSE\t0\tsid\tv\nother.org\tFALSE\t/\tFALSE\t0\tb\tw",
        "sid=v",
        "no other's",
    ),
    ("# Netscape HTTP Cookie File\n\nwiki.example.org\tTRUE\t/a\tFALSE\t0\tsid\tv", "sid=v", "a comment"),
]


@pytest.mark.parametrize(("lines", "header", "why"), ROWS, ids=[row[-1] for row in ROWS])
def test_a_file_of_cookies(tmp_path: Path, lines: str, header: str, why: str) -> None:
    assert sent(read(tmp_path, lines)) == header, why


def test_a_name_without_a_dot(tmp_path: Path) -> None:
    line = "wiki\tFALSE\t/\tFALSE\t0\tsid\tv"
    assert sent(read(tmp_path, line, host="http://wiki"), "http://wiki/") == "sid=v"
    line = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tv"
    assert sent(read(tmp_path, line, host="http://127.0.0.1:81"), "http://127.0.0.1:81/") == "sid=v"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            f"wiki.example.org\tFALSE\t/\tFALSE\t{BEFORE}\tsid\tcanary",
            "has no valid cookie for wiki.example.org",
        ),
        (f"example.org\tFALSE\t/\tFALSE\t{LATER}\tsid\tcanary", "has no valid cookie"),
        ("sid=canary", "line 1 of .* is no cookie"),
        ("wiki.example.org\tFALSE\t/\tFALSE\tsoon\tsid\tcanary", "line 1 of .* is no cookie"),
    ],
)
def test_a_file_without_a_cookie_that_is_good(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(EngineError, match=says) as error:
        read(tmp_path, line)
    assert "canary" not in str(error.value)


def answer(*lines: str) -> Response:
    return Response(f"{HOST}/", headers={"Set-Cookie": list(lines), "Server": "x"})


def test_what_a_host_sets_is_taken_out_of_its_answer_and_bounded() -> None:
    cookies, request = HostCookies(), Request(f"{HOST}/")
    response = answer("a=1; Path=/", "b=2; Path=/other", f"long={'x' * MAX_COOKIE_BYTES}")
    cookies.take(response, request)
    assert list(response.headers) == [b"Server"]
    assert sent(cookies) == "a=1"
    cookies.take(answer(*(f"c{n}=1" for n in range(2 * MAX_COOKIES))), request)
    assert sent(cookies).count("=") == MAX_COOKIES
