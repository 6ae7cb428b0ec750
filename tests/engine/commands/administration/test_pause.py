"""`scrapy pause`: a host, its release, and the list."""

import json
from pathlib import Path

import pytest

from tests.running import scrapy


def test_pause_list_and_release(tmp_path: Path) -> None:
    assert scrapy(tmp_path, "pause", "--list").stdout == "no host is paused\n"
    assert scrapy(tmp_path, "pause", "WWW.Example.org").stdout.startswith("www.example.org  paused since 20")
    scrapy(tmp_path, "pause", "https://b.example:8443")
    paused = json.loads(scrapy(tmp_path, "pause", "--list", "--json").stdout)["paused"]
    assert [*paused] == ["https://b.example:8443", "www.example.org"]
    scrapy(tmp_path, "pause", "--release", "www.example.org")
    assert [*json.loads(scrapy(tmp_path, "pause", "--list", "--json").stdout)["paused"]] == [
        "https://b.example:8443"
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("http://a.example/page",), "is no host"),
        (("http://a.example/*",), "is no host"),
        (("--release", "a.example"), "a.example is not paused"),
        ((), "Usage"),
        (("a.example", "--list"), "Usage"),
    ],
)
def test_what_is_refused(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = scrapy(tmp_path, "pause", *words, code=2)
    assert says in done.stderr + done.stdout
