"""How often one client may ask, by a clock that stands still until it is told."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import ServerConfig
from search_ui.app import create_app
from search_ui.server import limits
from search_ui.server.ledger import Ledger
from search_ui.server.limits import TokenBuckets
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, Searcher


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def browser(clock: Clock, peer: str = "203.0.113.5", serving: ServerConfig | None = None) -> Asking:
    app = create_app(Searcher(), lambda: None, IDENTITY, serving or ServerConfig(), ledger=Ledger(clock))
    return Asking(app, peer)


def test_forty_at_once_then_ten_a_second() -> None:
    clock = Clock()
    client = browser(clock)
    answers = [client.get("/health").status_code for _ in range(41)]
    assert answers == 40 * [200] + [429]
    clock.now += 0.1
    assert [client.get("/health").status_code for _ in range(2)] == [200, 429]
    clock.now += 3_600
    assert [client.get("/health").status_code for _ in range(41)] == answers


@pytest.mark.parametrize(
    ("target", "accept", "media_type"),
    [
        ("/search?q=a", "text/html", "text/html; charset=utf-8"),
        ("/api/search?q=a", "*/*", "application/problem+json"),
        ("/search.rss?q=a", "*/*", "application/problem+json"),
    ],
)
def test_a_refusal_says_when_to_come_again(target: str, accept: str, media_type: str) -> None:
    """RFC 6585, section 4; whole seconds, however short the wait."""
    client = browser(Clock(), serving=ServerConfig(burst=1))
    assert client.get(target).status_code == 200
    answer = client.get(target, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert answer.headers["Content-Type"] == media_type
    assert "Wait a moment" in answer.text
    assert "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize(
    ("peer", "serving", "why"),
    [
        ("127.0.0.1", ServerConfig(burst=1), "this machine"),
        ("::1", ServerConfig(burst=1), "this machine"),
        ("203.0.113.5", ServerConfig(requests_per_second=0, burst=1), "the operator wants no bound"),
    ],
)
def test_who_has_no_bound(peer: str, serving: ServerConfig, why: str) -> None:
    client = browser(Clock(), peer, serving)
    assert {client.get("/health").status_code for _ in range(50)} == {200}, why


def test_readers_behind_one_proxy_have_buckets_of_their_own() -> None:
    client = browser(Clock(), serving=ServerConfig(trusted_proxies=(ip_network("203.0.113.5"),), burst=1))
    for address in ("198.51.100.1", "198.51.100.2"):
        forwarded = {"X-Forwarded-For": f"192.0.2.1, {address}"}
        assert [client.get("/health", headers=forwarded).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("header", "value", "answers", "why"),
    [
        ("X-Forwarded-For", "unknown", [200, 429], "no address: one client with all such"),
        ("X-Forwarded-For", "198.51.100.1:port", [200, 429], "likewise"),
        ("Forwarded", "for=198.51.100.1", [200, 429], "not the header that we read"),
        ("Accept", "text/html", [200, 200], "this machine itself"),
    ],
)
def test_a_proxy_on_this_machine_makes_no_reader_boundless(
    header: str, value: str, answers: list[int], why: str
) -> None:
    client = browser(Clock(), "127.0.0.1", ServerConfig(trusted_proxies=(ip_network("127.0.0.1"),), burst=1))
    assert [client.get("/health", headers={header: value}).status_code for _ in range(2)] == answers, why


def test_clients_without_number_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CLIENTS", 3)
    buckets = TokenBuckets(1, 1, Clock())
    assert [buckets.take((4, client)) for client in range(4)] == 4 * [0]
    assert buckets.take((4, 3)) == 1
    assert buckets.take((4, 0)) == 0  # forgotten, so as if new
    assert len(buckets._of) == 3


@given(st.lists(st.floats(0, 5), max_size=200))
def test_never_more_than_burst_and_rate_allow(pauses: list[float]) -> None:
    clock = Clock()
    buckets, let = TokenBuckets(2, 5, clock), 0
    for pause in pauses:
        clock.now += pause
        let += not buckets.take((4, 1))
    assert let <= 5 + 2 * (clock.now - 1_000) + 1e-6
