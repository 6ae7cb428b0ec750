"""The operator's own signals: which numbers become which terms, and what cannot be loaded."""

import math
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.index.documents import load_signals, own_signals
from engine.index.documents.own_signals import GROUP, compute_level
from engine.index.schema import LEVELS
from engine.model import Page

PAGE = Page("http://h.example/", "Title")


def half(page: Page) -> float:
    """One of the operator's."""
    return 0.5


def none_at_all(page: Page) -> float:
    """Another."""
    return 0.0


def boom(page: Page) -> float:
    """One that raises."""
    raise LookupError(page.title)


@pytest.mark.parametrize(
    ("signal", "level", "why"),
    [
        (lambda page: 0.0, 0, "nothing"),
        (lambda page: 1, LEVELS, "all"),
        (lambda page: 0.254, 25, "hundredths"),
        (lambda page: 7, LEVELS, "more than all"),
        (lambda page: -1, 0, "less than nothing"),
        (lambda page: math.inf, LEVELS, "endless"),
        (lambda page: None, 0, "it forgets to return"),
        (lambda page: "much", 0, "no number"),
        (boom, 0, "it raises"),
    ],
)
def test_the_level_of_a_signal(signal: Callable[[Page], Any], level: int, why: str) -> None:
    assert compute_level("own", signal, PAGE) == level, why


@given(st.floats())
def test_every_number_has_a_level(number: float) -> None:
    assert 0 <= compute_level("own", lambda page: number, PAGE) <= LEVELS


def offer(monkeypatch: pytest.MonkeyPatch, **offered: str) -> None:
    def find(group: str, name: str) -> list[EntryPoint]:
        return [EntryPoint(name, offered[name], GROUP)] if group == GROUP and name in offered else []

    monkeypatch.setattr(own_signals, "entry_points", find)


def test_signals_become_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, half=f"{__name__}:half", nothing=f"{__name__}:none_at_all")
    assert load_signals((("half", 2.0), ("nothing", 1.0)))(PAGE) == ("half 50",)
    assert load_signals(())(PAGE) == ()


@pytest.mark.parametrize(
    ("value", "says", "why"),
    [
        ("", "no package that is installed offers it", "not installed"),
        ("missing:half", "cannot be loaded", "broken"),
        (f"{__name__}:missing", "cannot be loaded", "the function is gone"),
    ],
)
def test_what_is_not_there_is_said(value: str, says: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, **({"half": value} if value else {}))
    with pytest.raises(EngineError, match=f"half.*{says}"):
        load_signals((("half", 2.0),))
