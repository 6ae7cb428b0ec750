"""A line of JSON has what was read of a page, and no more than its owner allows."""

import json
from typing import Any

import pytest

from engine.export.page_objects import write_page
from engine.model.page import Link, Page, Section
from engine.packing.packing import pack_page
from engine.robots import Directives
from engine.store.change import Change

URL = "http://a.example/"
PAGE = Page(
    URL,
    title="Amber",
    description="About amber",
    language="en",
    sections=(Section("", "", "First."), Section("Colours", "colours", "Yellow\t\nand brown.")),
    links=(Link("http://b.example/", "here"), Link("http://c.example/", "", True, False)),
    published=0.0,
)


def write(change: Change) -> dict[str, Any]:
    [line] = write_page(change)
    found: dict[str, Any] = json.loads(line)
    return found


def change_of(page: Page) -> Change:
    return Change(7, URL, pack_page(page), 1_700_000_000.0)


def test_a_page() -> None:
    assert write(change_of(PAGE)) == {
        "change": 7,
        "url": URL,
        "title": "Amber",
        "language": "en",
        "media_type": "text/html",
        "fetched_at": "2023-11-14T22:13:20+00:00",
        "published": "1970-01-01T00:00:00+00:00",
        "modified": None,
        "description": "About amber",
        "keywords": "",
        "sections": [
            {"heading": "", "fragment": "", "text": "First."},
            {"heading": "Colours", "fragment": "colours", "text": "Yellow\t\nand brown."},
        ],
        "links": [
            {"url": "http://b.example/", "anchor": "here", "nofollow": False, "main": True},
            {"url": "http://c.example/", "anchor": "", "nofollow": True, "main": False},
        ],
    }


def test_noarchive_leaves_the_texts_out() -> None:
    found = write(change_of(Page(**{**vars_of(PAGE), "directives": Directives(archive=False)})))
    assert found["noarchive"] is True
    assert not {"sections", "description", "keywords"}.intersection(found)
    assert (found["title"], len(found["links"])) == ("Amber", 2)


def vars_of(page: Page) -> dict[str, Any]:
    return {name: getattr(page, name) for name in Page.__dataclass_fields__}


LEFT = [
    (Change(7, URL, None), {}, "gone"),
    (
        Change(7, URL, None, represented_by="http://b.example/"),
        {"represented_by": "http://b.example/"},
        "moved",
    ),
    (Change(7, URL, None, copy_of="http://b.example/"), {"copy_of": "http://b.example/"}, "a copy"),
]


@pytest.mark.parametrize(("change", "said", "why"), LEFT, ids=[why for *_, why in LEFT])
def test_a_url_without_a_page(change: Change, said: dict[str, str], why: str) -> None:
    assert write(change) == {"change": 7, "url": URL, "gone": True, **said}, why


def test_a_date_that_no_calendar_has() -> None:
    page = Page(**{**vars_of(PAGE), "published": 1e20, "modified": -1e20})
    assert (write(change_of(page))["published"], write(change_of(page))["modified"]) == (None, None)
