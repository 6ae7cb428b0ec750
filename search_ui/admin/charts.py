"""Draws a line over time as the path of an SVG, which needs no script."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 480, 100  # units of the drawing
STEPS = 120  # points of a line at most
LEAST = 0.01  # below it a line is flat
SHORTEST = 0.1  # scale: numbers are shown with one decimal
TOPS = (1.0, 2.0, 5.0, 10.0)  # numbers at which a scale ends, times a power of ten


@dataclass(frozen=True, slots=True)
class Chart:
    """A line, with what is said of it: its last value, its largest, and where its scale ends."""

    title: str
    unit: str
    path: str
    last: float | None
    most: float
    top: float


def draw_chart(title: str, unit: str, values: Mapping[int, float], first: int, last: int) -> Chart:
    """Draws values by minute, from one to another; where several minutes share a point, the largest."""
    width = max(1, math.ceil((last - first + 1) / STEPS))  # minutes of a point
    steps = math.ceil((last - first + 1) / width)
    points: list[float | None] = [None] * steps
    for minute, value in values.items():
        if first <= minute <= last:
            at = (minute - first) // width
            points[at] = max(points[at] or 0.0, value)
    present = [value for value in points if value is not None]
    most = max(present, default=0.0)
    top = round_up(most)
    newest = max(values, default=None)
    return Chart(title, unit, _draw(points, top), values[newest] if newest is not None else None, most, top)


def round_up(value: float) -> float:
    """Rounds up to a number at which a scale ends: 1, 2 or 5, times a power of ten."""
    if value < LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return max(SHORTEST, next((top * power for top in TOPS if value <= top * power), 10.0 * power))


def _draw(points: Sequence[float | None], top: float) -> str:
    """Draws the path; where minutes are missing, the line is broken."""
    across = WIDTH / max(1, len(points) - 1)
    parts, is_drawing = [], False
    for number, value in enumerate(points):
        if value is None:
            is_drawing = False
            continue
        x, y = number * across, HEIGHT * (1 - min(1.0, value / top))
        parts.append(f"{'L' if is_drawing else 'M'}{x:.1f} {y:.1f}")
        if not is_drawing:
            parts.append("h0.1")  # a lone minute is a dot
        is_drawing = True
    return "".join(parts)
