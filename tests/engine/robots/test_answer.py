"""What an answer to GET /robots.txt permits."""

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.report.ruling import ruling_of_host
from engine.robots import (
    RobotsResponse,
    RobotsState,
    Verdict,
    compute_lifetime,
    interpret_response,
    parse_retry_after,
    retry_pause,
    verdict_for_status,
)
from engine.robots.answer import MAX_LIFETIME, MIN_LIFETIME

NOW = 784_111_777.0  # Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110's examples
DAY = 86_400.0
PAGE = "http://h/x"
RULES = b"User-agent: *\nDisallow: /x\nCrawl-delay: 7\n"


@pytest.mark.requirement(78, 104, 105, 106, 107, 108, 109, 110)
@pytest.mark.parametrize(
    ("status", "expected", "why"),
    [
        (200, Verdict.OBEY, "requirement 104"),
        (204, Verdict.OBEY, "requirement 104: any 2xx"),
        (299, Verdict.OBEY, "requirement 78: unknown codes by their class"),
        (206, Verdict.DEFER, "a part of the file, for which nobody asked: the rest may forbid"),
        (226, Verdict.DEFER, "what has changed of it: the rest is not known"),
        (301, Verdict.ALLOW_ALL, "requirement 110, C4: a redirect too many is as 404"),
        (404, Verdict.ALLOW_ALL, "requirement 105"),
        (400, Verdict.ALLOW_ALL, "requirement 106"),
        (410, Verdict.ALLOW_ALL, "requirement 106"),
        (451, Verdict.ALLOW_ALL, "requirement 106"),
        (499, Verdict.ALLOW_ALL, "requirement 78"),
        (401, Verdict.DISALLOW_ALL, "requirement 107, C1"),
        (403, Verdict.DISALLOW_ALL, "requirement 107, C1"),
        (429, Verdict.DEFER, "requirement 109, C2"),
        (500, Verdict.DEFER, "requirement 109"),
        (503, Verdict.DEFER, "requirement 108, C3"),
        (599, Verdict.DEFER, "requirement 78"),
        (None, Verdict.DEFER, "requirement 109: no answer"),
        (102, Verdict.DEFER, "not an answer yet"),
        (999, Verdict.DEFER, "not HTTP: permission unknown"),
    ],
)
def test_the_status(status: int | None, expected: Verdict, why: str) -> None:
    assert verdict_for_status(status) is expected, why


@pytest.mark.requirement(99, 104, 105, 107, 108, 109, 112, 113)
@pytest.mark.parametrize(
    ("answer", "allowed", "delay", "why"),
    [
        (RobotsResponse(200, {}, RULES), False, 7.0, "requirement 104: rules are obeyed"),
        (RobotsResponse(200), True, None, "requirement 112: an empty file"),
        (
            RobotsResponse(200, {}, b"<html><p>Not found</p>"),
            True,
            None,
            "requirements 99, 113: HTML is no rules",
        ),
        (RobotsResponse(404, {}, RULES), True, None, "requirement 105: the rules of a 404 are none"),
        (RobotsResponse(403), False, None, "requirement 107"),
        (RobotsResponse(503), False, None, "requirement 108"),
        (RobotsResponse(None), False, None, "requirement 109"),
    ],
)
def test_what_may_be_fetched(answer: RobotsResponse, allowed: bool, delay: float | None, why: str) -> None:
    state = interpret_response(answer, NOW)
    assert state.allowed("ours", PAGE) is allowed, why
    assert state.crawl_delay("ours", NOW) == delay, why


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (RobotsResponse(200, {}, RULES), "robots.txt, line 2: Disallow: /x"),
        (RobotsResponse(200), "robots.txt: no rule"),
        (RobotsResponse(404), "robots.txt answered 404: allow all"),
        (RobotsResponse(403), "robots.txt answered 403: disallow all"),
        (RobotsResponse(None), "robots.txt gave no answer: defer"),
    ],
)
def test_the_reason_in_one_line(answer: RobotsResponse, reason: str) -> None:
    assert interpret_response(answer, NOW).reason("ours", PAGE) == reason


@pytest.mark.requirement(117, 118, 119)
@pytest.mark.parametrize(
    ("headers", "seconds", "why"),
    [
        ({}, DAY, "requirements 118, 119: a day"),
        ({"cache-control": "max-age=3600"}, 3600.0, "requirement 117: Cache-Control"),
        ({"cache-control": "public, Max-Age = 3600"}, 3600.0, "spaces and letter case"),
        ({"cache-control": "max-age=60"}, MIN_LIFETIME, "C16: not less than ten minutes"),
        ({"cache-control": "max-age=" + "9" * 40}, MAX_LIFETIME, "C16: not more than a day"),
        ({"cache-control": "no-store"}, MIN_LIFETIME, "requirement 117: no-store"),
        ({"cache-control": "no-cache, max-age=9999"}, MIN_LIFETIME, "no-cache comes first"),
        ({"cache-control": "s-maxage=3600"}, DAY, "meant for proxies"),
        ({"cache-control": "junk"}, DAY, "nothing said"),
        ({"expires": "Sun, 06 Nov 1994 09:49:37 GMT"}, 3600.0, "requirement 117: Expires"),
        (
            {"expires": "Sun, 06 Nov 1994 12:00:00 GMT", "date": "Sun, 06 Nov 1994 11:00:00 GMT"},
            3600.0,
            "by the server's own clock",
        ),
        ({"expires": "Sun, 06 Nov 1994 07:00:00 GMT"}, MIN_LIFETIME, "passed"),
        ({"expires": "0"}, MIN_LIFETIME, "RFC 9111, 5.3: what is no date has passed"),
        (
            {"cache-control": "max-age=1200", "expires": "0"},
            1200.0,
            "RFC 9111, 5.3: max-age comes before Expires",
        ),
    ],
)
def test_how_long_it_may_be_used(headers: dict[str, str], seconds: float, why: str) -> None:
    assert compute_lifetime(headers, NOW) == seconds, why


@pytest.mark.parametrize(
    ("wish", "seconds", "why"),
    [
        ("120", 120.0, "seconds"),
        ("Sun, 06 Nov 1994 08:59:37 GMT", 600.0, "a date"),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0, "a date that has passed"),
        ("9" * 5000, DAY, "more than a day"),
        ("soon", 0.0, "junk"),
        ("-5", 0.0, "no time"),
        ("²", 0.0, "a digit, and no number"),
        ("", 0.0, "nothing"),
    ],
)
def test_retry_after(wish: str, seconds: float, why: str) -> None:
    """C2: honoured."""
    assert parse_retry_after({"retry-after": wish}, NOW) == seconds, why


@given(
    st.text(max_size=40)
    | st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [JFMA][a-z]{2} \d{1,6} \d\d:\d\d:\d\d \S{0,8}")
)
def test_any_header_is_a_time(text: str) -> None:
    assert 0.0 <= parse_retry_after({"retry-after": text}, NOW) <= DAY
    assert MIN_LIFETIME <= compute_lifetime({"cache-control": text}, NOW) <= MAX_LIFETIME
    assert MIN_LIFETIME <= compute_lifetime({"expires": text, "date": text}, NOW) <= MAX_LIFETIME


@pytest.mark.requirement(109)
def test_the_pause_doubles_up_to_an_hour() -> None:
    """Backoff."""
    assert [retry_pause(fails) for fails in (1, 2, 3, 10, 11, 10_000)] == [
        5.0,
        10.0,
        20.0,
        2560.0,
        3600.0,
        3600.0,
    ]


@pytest.mark.requirement(108, 109)
def test_an_outage_is_waited_for_and_forgotten() -> None:
    """Deferred, ever longer; the first good answer counts again."""
    first = interpret_response(RobotsResponse(503), NOW)
    second = interpret_response(RobotsResponse(None), NOW, first)
    asked = interpret_response(RobotsResponse(429, {"retry-after": "120"}), NOW, second)
    back = interpret_response(RobotsResponse(200, {}, RULES), NOW, asked)
    assert [state.expires_at - NOW for state in (first, second, asked, back)] == [5.0, 10.0, 120.0, DAY]
    assert [state.fails for state in (first, second, asked, back)] == [1, 2, 3, 0]


@pytest.mark.requirement(122)
def test_an_unchanged_file_is_renewed() -> None:
    """304 keeps the rules."""
    before = interpret_response(RobotsResponse(200, {"etag": '"a"', "last-modified": "then"}, RULES), NOW)
    after = interpret_response(RobotsResponse(304, {"cache-control": "max-age=3600"}), NOW + DAY, before)
    assert after == replace(before, fetched_at=NOW + DAY, expires_at=NOW + DAY + 3600)
    assert (after.etag, after.last_modified, after.status) == ('"a"', "then", 200)
    assert not after.allowed("ours", PAGE)


@pytest.mark.requirement(116, 121)
def test_a_state_is_used_until_it_expires() -> None:
    """A 404 is not believed longer than anything else."""
    for status in (200, 404):
        state = interpret_response(RobotsResponse(status), NOW)
        assert state.is_fresh(NOW + DAY - 1)
        assert not state.is_fresh(NOW + DAY)


@pytest.mark.requirement(30)
@pytest.mark.parametrize(
    ("path", "ignore_case", "allowed"),
    [
        ("/Private/a", False, False),
        ("/private/a", False, True),
        ("/private/a", True, False),
        ("/PRIVATE/a", True, False),
        ("/open", True, True),
    ],
)
def test_a_server_to_which_case_means_nothing(path: str, ignore_case: bool, allowed: bool) -> None:
    """A rule for one spelling holds for all."""
    state = interpret_response(
        RobotsResponse(200, {}, b"User-agent: *\nDisallow: /Private/\nSitemap: /Map.xml"), NOW
    )
    state = replace(state, ignore_case=ignore_case)
    assert state.allowed("ours", f"http://h{path}") is allowed
    assert ("line 2" in state.reason("ours", f"http://h{path}")) is not allowed
    assert ruling_of_host(state, "ours", f"http://h{path}", "rfc9309").allowed is allowed
    assert state.sitemaps == ("/Map.xml",)


@pytest.mark.requirement(123)
@pytest.mark.parametrize(
    "answer", [RobotsResponse(200, {"etag": "x"}, RULES), RobotsResponse(403), RobotsResponse(None)]
)
def test_a_state_survives_a_restart(answer: RobotsResponse) -> None:
    """Out of its plain fields it comes back the same."""
    state = interpret_response(answer, NOW)
    row = asdict(state)
    assert RobotsState(**{**row, "verdict": Verdict(str(row["verdict"]))}) == state


@pytest.mark.requirement(138)
def test_a_huge_body_is_kept_up_to_the_limit() -> None:
    state = interpret_response(RobotsResponse(200, {}, RULES + b"#" * 10_000_000), NOW)
    assert len(state.body) == 512_001
    assert not state.allowed("ours", PAGE)
