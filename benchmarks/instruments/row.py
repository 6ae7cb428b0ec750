"""Defines one figure of a benchmark: a JSON object on one line."""

import json
import sys
from dataclasses import asdict, dataclass

ALWAYS = ("name", "ours", "peer", "peer_value", "ratio")
DIGITS = 4  # significant; no run repeats better than that


@dataclass(frozen=True, slots=True)
class Row:
    """`ratio` tells how many times better ours is: above 1 is better, for times as for rates.

    `peer`, `peer_value` and `ratio` are None where there is nothing to compare with. `budget` is
    what ours may cost, `why` the reason where it costs more; only rows that
    have them show them.
    """

    name: str
    ours: float
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None
    budget: float | None = None
    why: str | None = None

    def line(self) -> str:
        """The row as JSON."""
        fields = {name: _short(value) for name, value in asdict(self).items()}
        return json.dumps(
            {name: value for name, value in fields.items() if value is not None or name in ALWAYS}
        )


def rate_row(name: str, ours: float, peer: str, peer_value: float) -> Row:
    """A row of which more is better, such as pages per second."""
    return Row(name, ours, peer, peer_value, _times(ours, peer_value))


def cost_row(name: str, ours: float, peer: str, peer_value: float) -> Row:
    """A row of which less is better, such as milliseconds or megabytes."""
    return Row(name, ours, peer, peer_value, _times(peer_value, ours))


def report_progress(text: str) -> None:
    """Tell whoever waits what is under way."""
    print(text, file=sys.stderr, flush=True)


def _times(better: float, worse: float) -> float | None:
    return better / worse if worse else None


def _short(value: object) -> object:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
