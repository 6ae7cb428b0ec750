"""The charset table: one page in eight writings, in every charset that can express it.

It is declared in each way, not declared, or declared as something else. What is not decoded right stands
here by name: a new miss fails, and one that was mended must be struck off.
"""

import codecs
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.text.charset.charset import decode

PAGES: dict[str, str] = json.loads(
    (Path(__file__).parents[3] / "tables/charset_pages.json").read_text(encoding="utf-8")
)
LABELS = [
    "windows-1251", "koi8-r", "ibm866", "windows-1250", "iso-8859-2", "windows-1256", "windows-1252",
    "gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "utf-16le", "utf-16be", "utf-8",
]  # fmt: skip
PROSE = 200  # characters of the short page
HTML = (
    "{xml}<!DOCTYPE html>\n<html><head>{meta}<title>{title}</title><script>if (a < 3) {{ go(); }}</script>"
    '</head><body><p class="menu"><a href="/index.html">Home</a> <a href="/news.html">News</a></p>\n'
    "<p>{text}</p>\n<p>Copyright 2005 Example</p></body></html>"
)


class Case(NamedTuple):
    """A page in a charset, and what is said of it."""

    writing: str
    charset: str
    size: str
    way: str

    def __str__(self) -> str:
        return " ".join(self)


@cache
def expressible(writing: str) -> tuple[str, ...]:
    """The labels of the charsets that have all characters of a page."""

    def has(label: str) -> bool:
        try:
            return bool(PAGES[writing].encode(label))
        except UnicodeEncodeError:
            return False

    return tuple(filter(has, LABELS))


def cases(*ways: str) -> Iterator[Case]:
    for writing in PAGES:
        for charset in expressible(writing):
            for size in ("short", "long"):
                yield from (Case(writing, charset, size, way) for way in ways)


def is_right(case: Case) -> bool:
    text = PAGES[case.writing][: PROSE if case.size == "short" else None]
    way, _, label = case.way.partition(" ")
    label = label or case.charset
    page = HTML.format(
        xml=f'<?xml version="1.0" encoding="{label}"?>\n' if way == "XML" else "",
        meta=f'<meta charset="{label}">' if way == "META" else "",
        title=text[:30],
        text=text,
    )
    mark = codecs.BOM_UTF16_LE if way == "mark" else b""
    header = f"text/html; charset={label}" if way == "header" else "text/html"
    return decode(mark + page.encode(case.charset), header)[0] == page


def misses(*ways: str) -> tuple[list[str], float]:
    """The names of the cases that are decoded wrong, and the share of those that are right."""
    every = list(cases(*ways))
    wrong = [str(case) for case in every if not is_right(case)]
    return wrong, 1 - len(wrong) / len(every)


MISSES = {
    # Shift_JIS has Cyrillic letters, but a lead byte of theirs is beside ASCII letters as often as not.
    *(f"ru shift_jis {size} {way} {label}" for size in ("short", "long") for way in ("header", "META")
      for label in ("iso-8859-1", "us-ascii")),
}  # fmt: skip


def test_declared_pages_are_read_as_they_are_declared() -> None:
    """By the header, by META or by the XML declaration: at least 95 of 100."""
    wrong, share = misses("header", "META", "XML")
    assert set(wrong) == set()
    assert share >= 0.95


def test_undeclared_pages_are_detected() -> None:
    """At least 85 of 100."""
    wrong, share = misses("nothing")
    assert set(wrong) == set()
    assert share >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize("label", ["utf-8", "iso-8859-1", "us-ascii", "utf-16"])
def test_what_servers_say_of_every_page_is_overruled(label: str) -> None:
    """What is not in that charset, but the header or META says so: at least 85 of 100."""
    wrong, share = misses(f"header {label}", f"META {label}")
    assert set(wrong) == {name for name in MISSES if name.endswith(label)}
    assert share >= 0.85


def test_utf_16_is_read_by_its_mark() -> None:
    for writing in PAGES:
        assert is_right(Case(writing, "utf-16le", "short", "mark")), writing


def test_charsets_that_differ_in_few_letters_are_told_apart() -> None:
    """Windows-1250 and ISO 8859-2 differ in ą, ś and ź: two lines have enough of them."""
    assert is_right(Case("pl", "iso-8859-2", "long", "header windows-1250"))
    assert is_right(Case("pl", "iso-8859-2", "short", "header windows-1250"))
