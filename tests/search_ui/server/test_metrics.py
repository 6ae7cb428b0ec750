"""What is counted, and who is told."""

import re
import time
from unittest.mock import Mock

import pytest

from engine.admin import OperatorServices
from engine.config import ServerConfig
from engine.errors import DamagedError, EngineError
from engine.metrics import Metric
from engine.opensearch.errors import UnavailableError
from search_ui.app import create_app
from search_ui.rendering.problems import RETRY_SECONDS
from search_ui.server.metrics import BOUNDS, RequestMetrics, format_gauges, format_metrics
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, Searcher

HERE = "127.0.0.1"
# Of the text format 0.0.4: a name, labels, a number.
LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [0-9.e+]+')


def app(peer: str = HERE, searcher: Searcher | None = None) -> Asking:
    return Asking(create_app(searcher or Searcher(), lambda: None, IDENTITY, ServerConfig()), peer)


def counted(client: Asking) -> dict[str, float]:
    text = client.get("/metrics").text
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    assert text.endswith("\n")
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_requests_by_route_and_status() -> None:
    client = app()
    for target in (
        "/",
        "/",
        "/search?q=a",
        "/search?q=broken",
        "/static/style.css",
        "/static/no",
        "/x",
        "/y",
    ):
        client.get(target)
    client.get("/search", method="DELETE")
    found = counted(client)
    assert {name: value for name, value in found.items() if "_total" in name} == {
        'lycosa_http_requests_total{route="/",status="200"}': 2,
        'lycosa_http_requests_total{route="/search",status="200"}': 1,
        'lycosa_http_requests_total{route="/search",status="405"}': 1,
        'lycosa_http_requests_total{route="/search",status="500"}': 1,
        'lycosa_http_requests_total{route="/static",status="200"}': 1,
        'lycosa_http_requests_total{route="/static",status="404"}': 1,
        'lycosa_http_requests_total{route="other",status="404"}': 2,
    }
    assert found['lycosa_http_request_duration_seconds_count{route="/search"}'] == 3


def test_the_index_and_how_old_it_is() -> None:
    found = counted(app())
    assert found["lycosa_index_documents"] == 25
    assert found["lycosa_index_age_seconds"] > 1e9


def test_without_an_index_the_rest_is_told() -> None:
    searcher = Searcher(is_missing=True)
    assert not [name for name in counted(app(searcher=searcher)) if name.startswith("lycosa_index")]


class Unreadable(Searcher):
    """An index is there, and cannot be opened."""

    def list_damage(self) -> list[str]:
        raise EngineError("index/g000001/_MAIN_3.toc is damaged")


def test_an_index_that_cannot_be_read_is_told_of() -> None:
    """It is not taken for one that is not there yet, of which nothing is told."""
    found = counted(app(searcher=Unreadable()))
    assert {name: value for name, value in found.items() if name.startswith("lycosa_index")} == {
        "lycosa_index_damaged_files": 1
    }


class Ahead(Searcher):
    """Its index was taken up by a clock that has been set back since."""

    def indexed_until(self) -> float:
        return time.time() + 3_600


def test_an_index_has_no_age_below_nothing() -> None:
    assert counted(app(searcher=Ahead()))["lycosa_index_age_seconds"] == 0


def test_how_long_answers_took() -> None:
    counts = RequestMetrics()
    for seconds in (0.001, 0.0025, 0.02, 60.0):
        counts.add("/", 200, seconds)
    lines = list(counts.format_lines())
    buckets = [int(line.split()[1]) for line in lines if "_bucket" in line]
    assert buckets == [2, 2, 2, *[3] * (len(BOUNDS) - 3), 4]
    assert lines[-2:] == [
        'lycosa_http_request_duration_seconds_sum{route="/"} 60.023500',
        'lycosa_http_request_duration_seconds_count{route="/"} 4',
    ]


def test_what_is_measured_of_a_crawl() -> None:
    labels = (("host", 'a"b\\c\n'), ("status", "200"))
    metric = Metric("lycosa_x_total", "counter", "X.", [(labels, 12_345_678_901.0), ((), 0.5)])
    assert list(format_metrics([metric])) == [
        "# HELP lycosa_x_total X.",
        "# TYPE lycosa_x_total counter",
        'lycosa_x_total{host="a\\"b\\\\c\\n",status="200"} 12345678901',
        "lycosa_x_total 0.5",
    ]
    page = create_app(Searcher(), lambda: None, IDENTITY, services=OperatorServices(lambda now: [metric]))
    assert "\nlycosa_x_total 0.5\n" in Asking(page, HERE).get("/metrics").text


def test_a_number_is_whole_however_large() -> None:
    assert list(format_gauges({"a": ("A.", 12_345_678.0)}))[-1] == "a 12345678"


@pytest.mark.parametrize(
    ("peer", "headers", "status", "why"),
    [
        (HERE, {}, 200, "this machine"),
        ("203.0.113.5", {}, 403, "not this machine"),
        ("203.0.113.5", {"X-Forwarded-For": HERE}, 403, "everybody can write that"),
        (HERE, {"X-Forwarded-For": "203.0.113.5"}, 403, "a web server here asks for another"),
        (HERE, {"Via": "1.1 a"}, 403, "likewise"),
    ],
)
def test_counts_are_told_here_alone(peer: str, headers: dict[str, str], status: int, why: str) -> None:
    answer = app(peer).get("/metrics", headers)
    assert answer.status_code == status, why
    wanted = "text/plain; version=0.0.4; charset=utf-8" if status == 200 else "application/problem+json"
    assert answer.headers["Content-Type"] == wanted


@pytest.mark.requirement(256)
@pytest.mark.parametrize(
    ("target", "is_missing", "status", "why"),
    [
        ("/health", False, 200, "it answers"),
        ("/health", True, 200, "it answers; a restart would bring no index"),
        ("/health/ready", False, 200, "it can search"),
        ("/health/ready", True, 503, "there is nothing to search"),
    ],
)
def test_health(target: str, is_missing: bool, status: int, why: str) -> None:
    assert app("203.0.113.5", Searcher(is_missing=is_missing)).get(target).status_code == status, why


@pytest.mark.parametrize(
    ("error", "retry", "said"),
    [
        (UnavailableError("the cluster is away"), str(RETRY_SECONDS), "away"),
        (DamagedError("index/g000001"), None, "rebuilt"),
    ],
)
def test_whoever_watches_is_told_when_to_ask_again(
    monkeypatch: pytest.MonkeyPatch, error: EngineError, retry: str | None, said: str
) -> None:
    """Of servers that are away; what is damaged is so until somebody mends it."""
    monkeypatch.setattr(Searcher, "count_documents", Mock(side_effect=error))
    answer = app().get("/health/ready")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, retry)
    assert said in answer.json()["detail"]


def test_a_damaged_index_is_told_of() -> None:
    """It answers, from what is left; whoever watches hears of it."""
    harmed = app(searcher=Searcher(is_damaged=True))
    assert counted(harmed)["lycosa_index_damaged_files"] == 1
    assert counted(app())["lycosa_index_damaged_files"] == 0
    answer = harmed.get("/health/ready")
    assert (answer.status_code, answer.text) == (200, "a part of the index is damaged")
