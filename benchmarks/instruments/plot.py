"""Plots curves over a logarithmic axis as SVG, without a library."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from engine.errors import EngineError

WIDTH, HEIGHT = 760, 420  # pixels
LEFT, RIGHT, TOP, BOTTOM = 70, 45, 50, 110  # margins, pixels
COLOURS = ("#1b6ca8", "#c8553d")
LEGEND_WIDTH = 330


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


def write_plot(path: Path, title: str, curves: Sequence[Curve]) -> None:
    """Write the picture; both axes are logarithmic, so a flat curve is a cost that does not grow."""
    path.write_text("\n".join(_svg(title, curves)) + "\n", encoding="utf-8")


def _svg(title: str, curves: Sequence[Curve]) -> Iterator[str]:
    xs, ys = ([point[axis] for curve in curves for point in curve.points] for axis in (0, 1))
    across, up = _powers(xs), _powers(ys)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#333">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    yield f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>'
    for x in across:
        place = _at(x, across, LEFT, WIDTH - RIGHT)
        yield f'<path d="M{place:.0f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{place:.0f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,.0f}</text>'
    for y in up:
        place = _at(y, up, HEIGHT - BOTTOM, TOP)
        yield f'<path d="M{LEFT} {place:.0f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{place + 4:.0f}" text-anchor="end">{y:,.0f}</text>'
    for number, curve in enumerate(curves):
        yield from _curve(number, curve, across, up)
    yield "</svg>"


def _curve(number: int, curve: Curve, across: Sequence[float], up: Sequence[float]) -> Iterator[str]:
    """The line, its points with their values, and its name below the picture."""
    beside = -8 if number % 2 else 18  # values above or below their points, so that two curves may be near
    pen = f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2" fill="none"'
    pen += ' stroke-dasharray="6 4"' if curve.dashed else ""
    places = [
        (_at(x, across, LEFT, WIDTH - RIGHT), _at(y, up, HEIGHT - BOTTOM, TOP)) for x, y in curve.points
    ]
    yield f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" {pen}/>'
    for (x, y), (_, value) in zip(places, curve.points, strict=True):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" {pen}/>'
        place = f'x="{x:.1f}" y="{y + beside:.1f}"'
        yield f'<text {place} text-anchor="middle" font-size="11">{value:,.0f}</text>'
    x, y = LEFT + number % 2 * LEGEND_WIDTH, HEIGHT - BOTTOM + 50 + number // 2 * 24
    yield f'<path d="M{x} {y}h40" {pen}/><text x="{x + 50}" y="{y + 4}">{escape(curve.name)}</text>'


def _powers(values: Sequence[float]) -> list[float]:
    """The powers of ten from the one below all values to the one above."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def _at(value: float, powers: Sequence[float], start: float, end: float) -> float:
    """Where a value stands between two places, in pixels."""
    first, last = math.log10(powers[0]), math.log10(powers[-1])
    return start + (math.log10(value) - first) / (last - first) * (end - start)
