"""What the log has about a target: as Hypothesis says, no more and no less than what lies in it."""

import json
from pathlib import Path

import pytest

from engine.history import tracing
from engine.history.entry import SkippedUrl, format_skip
from engine.history.log_files import LogFiles
from engine.history.tracing import count_recent_skips, trace_target
from engine.store import parse_target
from tests.crawling import EPOCH

URLS = (
    "http://h.example/",
    "https://h.example/shop/1",
    "https://h.example/shop/2?token=***",
    "https://h.example:8443/shop/1",
    "http://other.example/?u=h.example",
    "http://x.h.example/",
)


@pytest.mark.requirement(258)
@pytest.mark.parametrize(
    ("asked", "found", "why"),
    [
        ("h.example", (0, 1, 2, 3), "any scheme and port, and no other name that ends so"),
        ("https://h.example", (1, 2), "one host"),
        ("https://h.example:8443", (3,), "with its port"),
        ("https://h.example/shop/*", (1, 2), "a prefix"),
        ("https://h.example/shop/1", (1,), "a URL"),
        ("https://h.example/shop/2?token=secret", (2,), "the log does not have the value"),
        ("http://h.example/none", (), "nothing"),
    ],
)
def test_what_is_printed(tmp_path: Path, asked: str, found: tuple[int, ...], why: str) -> None:
    files = LogFiles(tmp_path, 30)
    for number, url in enumerate(URLS):
        files.append(f"{format_skip(SkippedUrl(EPOCH + number, 'links', url, 'scope'))}\n", EPOCH)
    entries = trace_target(tmp_path, parse_target(asked))
    assert [entry["url"] for entry in entries] == [URLS[number] for number in found], why


def test_a_redirected_robots_txt_is_about_the_host_whose_rules_it_has(tmp_path: Path) -> None:
    line = {"time": "", "event": "request", "url": "http://b.example/robots.txt", "host": "http://a.example"}
    LogFiles(tmp_path, 30).append(json.dumps(line) + "\n", EPOCH)
    assert [*trace_target(tmp_path, parse_target("a.example"))] == [line]


def test_torn_lines_are_passed_over(tmp_path: Path) -> None:
    whole = format_skip(SkippedUrl(EPOCH, "links", URLS[0], "scope"))
    LogFiles(tmp_path, 30).append(f'{whole[:40]}\n"{URLS[0]}"\n\xff\n{whole}\n', EPOCH)
    assert len([*trace_target(tmp_path, parse_target(URLS[0]))]) == 1


def test_no_log_has_nothing(tmp_path: Path) -> None:
    assert [*trace_target(tmp_path, parse_target(URLS[0]))] == []


@pytest.mark.requirement(258)
def test_what_was_skipped_of_a_host_lately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = LogFiles(tmp_path, 30)
    asked = json.dumps({"time": "", "event": "request", "url": "https://h.example/asked"})
    rules = ("scope", "query", "scope", "scope", "scope", "scope")
    for number, (url, rule) in enumerate(zip(URLS, rules, strict=True)):
        files.append(f"{format_skip(SkippedUrl(EPOCH + number, 'links', url, rule))}\n{asked}\n", EPOCH)
    found = count_recent_skips(tmp_path, "https://h.example")
    assert found.rules == {"query": 1, "scope": 1}
    assert found.last == [("https://h.example/shop/2?token=***", "scope"), (URLS[1], "query")]
    monkeypatch.setattr(tracing, "MAX_EXAMPLES", 1)
    assert [url for url, _ in count_recent_skips(tmp_path, "https://h.example").last] == [URLS[2]]
    monkeypatch.setattr(tracing, "MAX_SKIPPED", 1)
    assert count_recent_skips(tmp_path, "https://h.example").rules == {"query": 1}
    monkeypatch.setattr(tracing, "MAX_BYTES", 100)
    assert not count_recent_skips(tmp_path, "https://h.example").rules, "the end of the log is others'"
