"""What strangers write gives no orders to a terminal, forges no line of a log, and turns no text round."""

import json
import logging
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from engine.commands.search import Command
from engine.index.indexing.rebuild import rebuild_index
from engine.monitor.terminal_text import LegibleRecord, legible, legible_json
from tests.engine.index.source import Memory, page
from tests.running import here

ORDERS = [
    ("\x1b[2J", "CSI: clears the screen"),
    ("\x1b]0;owned\x07", "OSC: renames the window"),
    ("\x9b2J", "the same in one octet of C1"),
    ("\x9d52;c;AAAA\x9c", "OSC of C1: writes the clipboard"),
    ("\x7f\x08\x08", "DEL and backspaces"),
    ("a\rb", "begins the line again"),
    ("a\nb", "begins another line"),
    ("\u2028\u2029", "the same in Unicode"),
    ("\u202etxt.exe", "an override of direction"),
    ("\u2066a", "an isolate without its end"),
    ("\ud800", "half a character: no terminal is sent it"),
    ("\U000e0041", "a tag, which nobody sees"),
]
CONTROLS = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F))}
PLAIN = ["amber", "می‌خواهم", "👩‍💻", "a\u00a0b", "żółw", "עברית\u200e (a)"]


@pytest.mark.parametrize(("text", "why"), ORDERS, ids=[why for _, why in ORDERS])
def test_orders_are_shown_as_escapes(text: str, why: str) -> None:
    shown = legible(text)
    assert not CONTROLS & {*shown}, why
    assert "\\" in shown
    shown.encode()
    told = legible_json({"title": text})
    assert not CONTROLS & {*told}, why
    assert json.loads(told) == {"title": text}


@pytest.mark.parametrize("text", PLAIN)
def test_all_else_is_as_it_was(text: str) -> None:
    assert legible(text) == text
    assert legible_json([text]) == f'["{text}"]'


@pytest.mark.parametrize(("text", "why"), ORDERS, ids=[why for _, why in ORDERS])
def test_a_log_record_is_text(text: str, why: str) -> None:
    """In the message, in its arguments and in a traceback."""
    try:
        raise ValueError(text)
    except ValueError as error:
        found = (ValueError, error, error.__traceback__)
    for said, args in ((f"at {text}", ()), ("at %s", (text,))):
        record = LegibleRecord("lycosa", logging.INFO, "a", 1, said, args, found)
        shown = logging.Formatter("%(message)s").format(record)
        assert not (CONTROLS - {"\n"}) & {*shown}, why
        forged = [line for line in shown.split("\n") if line.startswith("b")]
        assert not forged, why


def test_a_search_prints_no_orders(tmp_path: Path) -> None:
    orders = "".join(text for text, _ in ORDERS if text != "\ud800")
    shown = page("http://a.example/", f"amber {orders}", title=f"amber {orders}")
    rebuild_index(Memory(shown), tmp_path)
    for words in (("amber",), ("amber", "--json")):
        with redirect_stdout(StringIO()) as said:
            assert here(Command(), tmp_path, *words) == 0
        assert "amber" in said.getvalue()
        assert not (CONTROLS - {"\n"}) & {*said.getvalue()}
