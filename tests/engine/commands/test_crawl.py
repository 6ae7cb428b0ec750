"""What `scrapy crawl` says at its end to whoever goes on to another site."""

import json
from pathlib import Path

import pytest

from engine.middleware import ALLOW_PRIVATE
from tests.running import crawl, scrapy
from tests.web.scripted import html, scripted_web


def test_a_site_that_is_left_out_is_named_and_how_a_private_address_is_allowed(tmp_path: Path) -> None:
    with (
        scripted_web({"/": html("A", "a")}) as before,
        scripted_web({"/": html("B", "b")}, address="127.0.3.1") as now,
    ):
        assert "no site of this crawl names" not in crawl(tmp_path, before.url())
        words = ("-a", f"seeds={now.url()}", "-s", "CONTACT=me@example.org")
        said = scrapy(tmp_path, "crawl", "web", *words, code=3).stdout
    assert f"their pages stay as they are: 1\n  {before.url()[:-1]}\n" in said
    assert ALLOW_PRIVATE in said


@pytest.mark.slow
def test_what_is_new_is_written_as_scrapy_writes_items(tmp_path: Path) -> None:
    """-o appends what each run brings, -O writes that of one."""
    pages = {"/": html("A", '<a href="/b">b</a>'), "/b": html("B", "b")}
    file = tmp_path / "pages.jsonl"
    with scripted_web(pages) as web:
        words = ("crawl", "web", "-a", f"seeds={web.url()}", "-a", "own=1", "-s", "CONTACT=me@example.org")
        said = scrapy(tmp_path, *words, "-o", str(file)).stdout
        first = [json.loads(line)["title"] for line in file.read_text().splitlines()]
        scrapy(tmp_path, *words, "-o", str(file))
        again = [json.loads(line)["title"] for line in file.read_text().splitlines()]
        scrapy(tmp_path, *words, "-O", str(file), "-a", "fresh=1")
        anew = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(first) == ["A", "B"]
    assert f"{file}: 2 pages\n" in said
    assert again == first, "nothing is new"
    assert sorted(line["title"] for line in anew if "gone" not in line) == ["A", "B"]
