"""Answers are given again as RFC 9111 allows, and no longer."""

import pytest

from engine.render import resource_cache
from engine.render.resource_cache import Resource, ResourceCache
from tests.crawling import Clock

URL = "https://h.example/app.js"


def resource(status: int = 200, body: bytes = b"x", **headers: str) -> Resource:
    return Resource(status, tuple((name.replace("_", "-"), value) for name, value in headers.items()), body)


RULES = [
    (resource(cache_control="max-age=60"), 59.0, 60.0, "its own time"),
    (resource(cache_control='public, max-age="60"'), 59.0, 60.0, "quoted, beside others"),
    (resource(), 3_599.0, 3_600.0, "it says nothing"),
    (resource(404), 3_599.0, 3_600.0, "what is not there is not asked for by each page"),
    (resource(cache_control="no-store"), None, 0.0, "RFC 9111, 5.2.2.5"),
    (resource(cache_control="no-cache"), None, 0.0, "it would have to be confirmed each time"),
    (resource(cache_control="max-age=0"), None, 0.0, "stale at once"),
    (resource(vary="*"), None, 0.0, "RFC 9111, 4.1: never the same"),
    (resource(500), None, 0.0, "an error passes"),
    (resource(429, cache_control="max-age=60"), None, 0.0, "so does a refusal"),
]


@pytest.mark.parametrize(("answer", "fresh", "stale", "why"), RULES)
def test_an_answer_is_given_again_while_it_is_fresh(
    answer: Resource, fresh: float | None, stale: float, why: str
) -> None:
    clock = Clock()
    cache, began = ResourceCache(clock), clock.now
    cache.put(URL, "*/*", answer)
    if fresh is not None:
        clock.now = began + fresh
        assert cache.get(URL, "*/*") == answer, why
    clock.now = began + stale
    assert cache.get(URL, "*/*") is None, why


def test_what_is_asked_for_otherwise_is_another_answer() -> None:
    cache = ResourceCache(Clock())
    cache.put(URL, "text/html", resource())
    assert cache.get(URL, "application/json") is None
    assert cache.get(URL + "?2", "text/html") is None


def test_the_longest_unused_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_cache, "MAX_BYTES", 30)
    cache = ResourceCache(Clock())
    for name in ("a", "b", "c"):
        cache.put(name, "", resource(body=b"0123456789"))
    assert cache.get("a", "")
    cache.put("d", "", resource(body=b"0123456789"))
    assert [name for name in "abcd" if cache.get(name, "")] == ["a", "c", "d"]
    cache.put("d", "", resource(body=b"0123456789"))  # in place of itself
    assert [name for name in "abcd" if cache.get(name, "")] == ["a", "c", "d"]
    cache.put("huge", "", resource(body=b"x" * 31))
    assert [name for name in ("a", "c", "d", "huge") if cache.get(name, "")] == []


def test_an_answer_that_is_not_kept_any_more_takes_the_old_one_with_it() -> None:
    cache = ResourceCache(Clock())
    cache.put(URL, "", resource())
    cache.put(URL, "", resource(cache_control="no-store"))
    assert cache.get(URL, "") is None
