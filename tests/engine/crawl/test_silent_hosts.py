"""Which seeds' hosts gave no answer at all in a run."""

import pytest

from engine.crawl.silent_hosts import SilentHosts
from engine.model.page import Claim, Fetch

A, B, C = "http://a.example", "http://b.example", "http://c.example"
REFUSED = (0, "connection refused")


def told(seeds: str, *exchanges: tuple[str, int, str]) -> SilentHosts:
    """What is known after these exchanges, each of a host with a status and an error."""
    unanswered = SilentHosts(f"http://{name}.example/{name}" for name in seeds)
    for name, status, error in exchanges:
        host = f"http://{name}.example"
        unanswered.record(Fetch(Claim(1, f"{host}/", host), status, error=error))
    return unanswered


@pytest.mark.parametrize(
    ("seeds", "exchanges", "silent", "failed", "why"),
    [
        ("abc", (("a", *REFUSED), ("b", *REFUSED), ("c", 200, "")), [A, B], True, "two of three"),
        ("ab", (("a", *REFUSED), ("b", 200, "")), [A], True, "half is enough"),
        ("abc", (("a", *REFUSED), ("b", 200, ""), ("c", 200, "")), [A], False, "one of three"),
        ("aab", (("a", 200, ""), ("b", *REFUSED)), [B], True, "hosts count, not seeds"),
        ("a", (("a", 503, ""),), [], False, "an answer, if none that is liked"),
        ("a", (("a", *REFUSED), ("a", 404, "")), [], False, "it answered later"),
        ("a", (("a", 200, ""), ("a", *REFUSED)), [], False, "it answered before"),
        ("a", (("a", 0, "too large"),), [], False, "too much of an answer is one"),
        ("ab", (), [], False, "nobody was asked: all are not due, paused or removed"),
        ("abc", (("a", *REFUSED),), [A], False, "two were not asked"),
        ("a", (("a", 200, ""), ("x", *REFUSED), ("y", *REFUSED)), [], False, "no seeds' hosts"),
    ],
)
def test_who_is_silent(
    seeds: str, exchanges: tuple[tuple[str, int, str], ...], silent: list[str], failed: bool, why: str
) -> None:
    unanswered = told(seeds, *exchanges)
    assert list(unanswered.reasons) == silent, why
    assert set(unanswered.reasons.values()) <= {"connection refused"}
    assert unanswered.too_many == failed, why
