"""What `scrapy crawl` says at its end to whoever goes on to another site."""

from pathlib import Path

from engine.commands.crawl import ALLOW_PRIVATE
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
