"""The stylesheet keeps what it promises to eyes."""

import gzip
import re
from collections.abc import Mapping

import pytest

from search_ui.rendering.responses import ROOT

SHEET = (ROOT / "static" / "style.css").read_text()
TEXT = 4.5  # WCAG 2.2, 1.4.3
SHAPE = 3.0  # WCAG 2.2, 1.4.11


def colours(sheet: str) -> Mapping[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", sheet))


LIGHT_SHEET, DARK_SHEET = SHEET.split("prefers-color-scheme: dark", 1)
LIGHT = colours(LIGHT_SHEET)
DARK = {**LIGHT, **colours(DARK_SHEET)}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least", "why"),
    [
        ("ink", "ground", TEXT, "snippets"),
        ("ink", "soft", TEXT, "notes"),
        ("quiet", "ground", TEXT, "dates and counts"),
        ("link", "ground", TEXT, "titles"),
        ("link", "soft", TEXT, "links in a note"),
        ("visited", "soft", TEXT, "links in a note that were followed"),
        ("visited", "ground", TEXT, "titles already read"),
        ("address", "ground", TEXT, "addresses"),
        ("on-mark", "mark", TEXT, "words found"),
        ("on-accent", "accent", TEXT, "the button"),
        ("edge", "ground", SHAPE, "the box's border"),
        ("link", "ground", SHAPE, "the focus ring"),
    ],
)
def test_contrast(scheme: Mapping[str, str], front: str, back: str, least: float, why: str) -> None:
    assert contrast(scheme[front], scheme[back]) >= least, why


def test_directions_are_logical() -> None:
    """A page in a right-to-left language needs no second sheet."""
    assert not re.search(r"(margin|padding|border)-(left|right)|text-align: (left|right)|[^-]float:", SHEET)


def test_the_sheet_is_small() -> None:
    assert len(gzip.compress(SHEET.encode())) < 4_096  # bytes; a fifth of one round trip
