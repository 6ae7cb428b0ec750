"""The canonical URL."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.url import authority_of, canonicalize, host_name, host_of, port_of
from tests.shared import SHARED
from tests.tables import table

WPT = "data/urls/wpt-urltestdata.json"
PIECES = [
    "http://",
    "https:",
    "h",
    "EX.example",
    ":80",
    "/",
    "..",
    ".",
    "%",
    "%7E",
    "%2e",
    "%2f",
    "%25",
    "%%3",
]
MORE = ["7", "2e", "41", "?", "#", "@", "[::1]", "é", "ツ", " ", "\\", "\t", "\ud800", "a", "A"]
odd_urls = st.lists(st.sampled_from(PIECES + MORE), max_size=12).map("".join) | st.text(max_size=40)


@pytest.mark.requirement(12, 13, 27, 28, 29, 33, 36)
@pytest.mark.parametrize(("raw", "base", "canonical", "why"), table("urls.json"))
def test_the_canonical_url(raw: str, base: str | None, canonical: str, why: str) -> None:
    assert canonicalize(raw, base) == canonical, why


@pytest.mark.requirement(96, 283)
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("", "nothing"),
        ("/x", "relative, and no base"),
        ("http://", "no host"),
        ("http://h:99999/", "no such port"),
        ("http://a b/", "a space in the host"),
        ("http://h/\ud800", "half a surrogate pair"),
        ("ftp://h/", "requirement 96: http(s) only"),
        ("mailto:a@h.example", "no place"),
        ("javascript:void(0)", "no place"),
        ("data:text/html,x", "no place"),
        ("http://user@h/", "requirement 283: a user name"),
        ("http://user:secret@h/", "requirement 283: a password"),
        ("http://:secret@h/", "requirement 283: a password alone"),
        ("http://h/" + "%" * 99 + "3" * 200, "escapes nested without end"),
    ],
)
def test_what_is_refused(raw: str, why: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 the promise is the type alone
        canonicalize(raw)


@pytest.mark.requirement(34)
@given(odd_urls)
def test_a_canonical_url_stays_as_it_is(raw: str) -> None:
    """Idempotent; and ValueError is the only complaint."""
    try:
        once = canonicalize(raw, "http://h.example/a/b")
    except ValueError:
        return
    assert canonicalize(once) == once
    assert once.isascii()
    assert once.startswith(host_of(once) + "/")


@pytest.mark.parametrize(
    ("url", "host", "authority", "name", "port"),
    [
        ("http://h/", "http://h", "h", "h", 80),
        ("https://h.example/x:1/", "https://h.example", "h.example", "h.example", 443),
        ("http://h:8080/?u=http://a:1/", "http://h:8080", "h:8080", "h", 8080),
        ("http://127.0.0.1/", "http://127.0.0.1", "127.0.0.1", "127.0.0.1", 80),
        ("https://[::1]/", "https://[::1]", "[::1]", "[::1]", 443),
        ("https://[::1]:81/", "https://[::1]:81", "[::1]:81", "[::1]", 81),
    ],
)
def test_the_parts_of_a_canonical_url(url: str, host: str, authority: str, name: str, port: int) -> None:
    assert canonicalize(url) == url
    assert (host_of(url), authority_of(url), host_name(url), port_of(url)) == (host, authority, name, port)


@pytest.mark.shared(WPT)
def test_the_cases_of_the_web_platform() -> None:
    """All http(s) cases agree, those with user name or password and all failures are refused."""
    kept = json.loads((SHARED / WPT).read_text(encoding="utf-8"))
    cases = [case for case in kept if isinstance(case, dict)]
    seen = {_outcome(case) for case in cases if case.get("failure")}
    assert seen == {"refused"}
    places = [case for case in cases if case.get("href", "").startswith(("http://", "https://"))]
    private = [case for case in places if case["username"] or case["password"]]
    assert (len(places), len(private)) == (244, 28)
    assert {_outcome(case) for case in private} == {"refused"}
    open_to_all = [case for case in places if case not in private]
    assert [case for case in open_to_all if _outcome(case) != canonicalize(case["href"])] == []


def _outcome(case: dict[str, Any]) -> str:
    base = case["base"]
    try:
        return canonicalize(case["input"], None if base == "about:blank" else base)
    except ValueError:
        return "refused"
