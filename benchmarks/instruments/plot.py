"""Plots curves as SVG, without a library: by a size on logarithmic axes, or by seconds."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from engine.errors import EngineError

WIDTH, HEIGHT = 760, 420  # pixels
LEFT, RIGHT, TOP, BOTTOM = 70, 45, 50, 110  # margins, pixels
PAIR = ("#1b6ca8", "#c8553d")  # a dashed curve has the colour of the whole one that it is compared with
COLOURS = (*PAIR, "#3f7d3a", "#7b4fa3", "#a8861b", "#555")
LEGEND_WIDTH = 330
SECONDS_MARKS = 8  # at most


@dataclass(frozen=True, slots=True)
class Curve:
    """A name, and points (x, y) in the order of x, both above zero."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


def require_folder(path: Path) -> None:
    """Raises EngineError where there is no folder for a picture: told before hours of measuring."""
    if not path.parent.is_dir():
        raise EngineError(f"there is no folder {path.parent} for the plot: make it, or name another")


@dataclass(frozen=True, slots=True)
class Axis:
    """Where values stand between the first and the last of its marks."""

    marks: Sequence[float]
    scale: Callable[[float], float]

    def at(self, value: float, start: float, end: float) -> float:
        """Returns the place of a value between two places, in pixels."""
        first, last = self.scale(self.marks[0]), self.scale(self.marks[-1])
        return start + (self.scale(value) - first) / (last - first) * (end - start)


def write_plot(path: Path, title: str, curves: Sequence[Curve]) -> None:
    """Writes the picture; both axes are logarithmic, so a flat curve is a cost that does not grow."""
    xs = [x for curve in curves for x, _ in curve.points]
    _write(path, _svg(title, curves, _powers(xs), PAIR, with_values=True))


def write_timeline(path: Path, title: str, curves: Sequence[Curve]) -> None:
    """Writes the picture of what went on in seconds from zero; what goes on is on a logarithmic axis."""
    xs = [x for curve in curves for x, _ in curve.points]
    _write(path, _svg(title, curves, _seconds(xs), COLOURS, with_values=False))


def _write(path: Path, lines: Iterator[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _svg(
    title: str, curves: Sequence[Curve], across: Axis, colours: Sequence[str], *, with_values: bool
) -> Iterator[str]:
    up = _powers([y for curve in curves for _, y in curve.points])
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#333">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    yield f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>'
    for x in across.marks:
        place = across.at(x, LEFT, WIDTH - RIGHT)
        yield f'<path d="M{place:.0f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{place:.0f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,.0f}</text>'
    for y in up.marks:
        place = up.at(y, HEIGHT - BOTTOM, TOP)
        yield f'<path d="M{LEFT} {place:.0f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{place + 4:.0f}" text-anchor="end">{y:,.0f}</text>'
    for number, curve in enumerate(curves):
        places = [
            (across.at(x, LEFT, WIDTH - RIGHT), up.at(y, HEIGHT - BOTTOM, TOP)) for x, y in curve.points
        ]
        pen = f'stroke="{colours[number % len(colours)]}" stroke-width="2" fill="none"'
        pen += ' stroke-dasharray="6 4"' if curve.dashed else ""
        yield from _curve(number, curve, places, pen)
        if with_values:
            yield from _values(number, curve, places, pen)
    yield "</svg>"


def _curve(number: int, curve: Curve, places: Sequence[tuple[float, float]], pen: str) -> Iterator[str]:
    """The line, and its name below the picture."""
    yield f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" {pen}/>'
    x, y = LEFT + number % 2 * LEGEND_WIDTH, HEIGHT - BOTTOM + 50 + number // 2 * 24
    yield f'<path d="M{x} {y}h40" {pen}/><text x="{x + 50}" y="{y + 4}">{escape(curve.name)}</text>'


def _values(number: int, curve: Curve, places: Sequence[tuple[float, float]], pen: str) -> Iterator[str]:
    """The points of a line with their values."""
    beside = -8 if number % 2 else 18  # values above or below their points, so that two curves may be near
    for (x, y), (_, value) in zip(places, curve.points, strict=True):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" {pen}/>'
        place = f'x="{x:.1f}" y="{y + beside:.1f}"'
        yield f'<text {place} text-anchor="middle" font-size="11">{value:,.0f}</text>'


def _powers(values: Sequence[float]) -> Axis:
    """The powers of ten from the one below all values to the one above."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return Axis([10.0**power for power in range(low, max(high, low + 1) + 1)], math.log10)


def _seconds(values: Sequence[float]) -> Axis:
    """One, two or five of a power of ten apart, from zero to behind the last value."""
    steps = (digit * 10.0**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if max(values) <= step * SECONDS_MARKS)
    return Axis([step * mark for mark in range(max(1, math.ceil(max(values) / step)) + 1)], float)
