"""Computes own ranking signals of a page: the entry points of GROUP that [ranking.signals] names."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points

from engine.errors import EngineError
from engine.index.schema import LEVELS, SIGNAL
from engine.model import Page

logger = logging.getLogger("lycosa")
GROUP = "lycosa.signals"
Signal = Callable[[Page], float]
SignalTerms = Callable[[Page], Sequence[str]]
"""Makes the terms of a page's signals; see schema.SIGNAL."""


def no_signals(_page: Page) -> Sequence[str]:
    """Makes no terms."""
    return ()


def load_signals(weights: Sequence[tuple[str, float]]) -> SignalTerms:
    """Loads the signals that have a weight. Raises EngineError for one that nothing installed offers."""
    signals = {name: _load(name) for name, _ in weights}
    return (lambda page: tuple(_make_terms(signals, page))) if signals else no_signals


def _make_terms(signals: dict[str, Signal], page: Page) -> list[str]:
    levels = {name: compute_level(name, signal, page) for name, signal in signals.items()}
    return [f"{name} {level}" for name, level in levels.items() if level]


def compute_level(name: str, signal: Signal, page: Page) -> int:
    """Computes a signal in whole numbers from 0 to LEVELS; 0 where it raises or gives no number."""
    try:
        return round(min(max(float(signal(page)), 0.0), 1.0) * LEVELS)
    except Exception as error:  # whatever the operator's function raises; of not-a-number, round() does
        _tell(name, type(error).__name__, str(error))
        return 0


@cache
def _tell(name: str, kind: str, why: str) -> None:
    logger.warning("%s: signal %s counts 0 for a page of which it raised %s: %s", SIGNAL, name, kind, why)


def _load(name: str) -> Signal:
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise EngineError(
            f"[ranking.signals] has {name}, but no package that is installed offers it as an entry point of "
            f"{GROUP}: install it, or take the line out"
        )
    try:
        signal: Signal = found[0].load()
    except Exception as error:  # whatever a module of the operator's raises
        raise EngineError(f"signal {name} = {found[0].value!r} cannot be loaded: {error}") from error
    return signal
