"""`scrapy search`: hits on the terminal."""

from pathlib import Path

from engine.index.indexing.rebuild import rebuild_index
from engine.model.page import Page, Section
from tests.engine.index.source import Memory
from tests.running import scrapy


def test_the_main_sections_of_a_page_stand_below_it(tmp_path: Path) -> None:
    url = "http://a.example/fern"
    sections = (
        Section("", "", "words"),
        Section("Roots", "roots", "words"),
        Section("Leaves", "leaves", "words"),
    )
    rebuild_index(Memory(Page(url, title="Fern", sections=sections)), tmp_path)
    shown = scrapy(tmp_path, "search", "fern").stdout
    assert f"\n   › Roots  {url}#roots\n   › Leaves  {url}#leaves" in shown
