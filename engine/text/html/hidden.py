"""Finds hidden elements: text that no reader sees is not indexed.

Looked at are the attributes of each element alone. Style sheets are not applied, so a class may hide what
counts here; and colours are compared where both stand in one style. What a reader unfolds is there for him
(DETAILS, hidden=until-found), and aria-hidden hides from other senses than the eye. What begins transparent
and moves is about to fade in.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from selectolax.lexbor import LexborNode

SELECTOR = "[hidden],[style],dialog:not([open])"
"""The elements that is_hidden() need be asked about."""

FALLBACK_NAMES = "noframes noembed noscript video audio canvas"
"""Elements whose text is for browsers that cannot do better; it says so (requirements 85, 307)."""

OFF_SCREEN = -500.0  # CSS pixels; no ornament is moved so far
LEAST_FONT = 2.0  # CSS pixels; smaller letters cannot be read
MAX_INSIDE = 64  # elements looked at in one whose letters have no size
MAX_STYLES = 4_096  # remembered, as a site has few; some 1 MB

_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "in": 96.0}
_PIXELS |= {"cm": 37.8, "mm": 3.78, "%": 10.0, "vw": 10.0, "vh": 10.0}  # of a page 1,000 pixels wide
_LENGTH = re.compile(r"([-+]?[0-9]*\.?[0-9]+)([a-z%]*)")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)")
_SHORT_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_COLOURS = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "blue": "#0000ff", "yellow": "#ffff00"}
_AWAY = ("left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent")
_MOVES = ("transform", "transition", "animation", "will-change")
_CLIPPED = re.compile(r"rect\((?:\s*[01](?:px)?[\s,]*){4}\)|inset\((?:50|100)%\)")


def is_hidden(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Tells whether an element that SELECTOR finds, with these attributes, cannot be seen."""
    if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":  # HTML, 6.1
        return True
    if node.tag == "dialog" and "open" not in attributes:
        return True
    way = hiding_property(attributes.get("style") or "")
    # Boxes without gaps are set in letters of no size; what is in them has a size of its own.
    return bool(way) and not (way == "font-size" and _sets_fonts_inside(node))


@lru_cache(maxsize=MAX_STYLES)
def hiding_property(style: str) -> str:
    """Returns the property by which a style hides its element, '' when it can be seen."""
    style_values = _parse_declarations(style)
    if style_values.get("display") == "none":
        return "display"
    if style_values.get("visibility") in ("hidden", "collapse"):
        return "visibility"
    if _is_zero(style_values.get("opacity", "1")) and style_values.keys().isdisjoint(_MOVES):
        return "opacity"
    if 0 <= _parse_pixels(style_values.get("font-size", "")) < LEAST_FONT:
        return "font-size"
    return (
        _offscreen_property(style_values)
        or _clipping_property(style_values)
        or _invisible_colour_property(style_values)
    )


def _parse_declarations(style: str) -> dict[str, str]:
    """Parses the properties and values of a style, all in lower case; the last word counts."""
    pairs = (declaration.partition(":") for declaration in style.lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _offscreen_property(declarations: Mapping[str, str]) -> str:
    """Returns the property that moves an element off the screen."""
    return next((name for name in _AWAY if _parse_pixels(declarations.get(name, ""), 0.0) <= OFF_SCREEN), "")


def _clipping_property(declarations: Mapping[str, str]) -> str:
    """Returns the property that leaves nothing of an element."""
    if declarations.get("position") in ("absolute", "fixed") and _CLIPPED.search(
        declarations.get("clip", "")
    ):
        return "clip"
    if _CLIPPED.search(declarations.get("clip-path", "")):
        return "clip-path"
    flat = (
        name
        for name in ("height", "width", "max-height", "max-width")
        if _is_zero(declarations.get(name, ""))
    )
    return next(flat, "") if declarations.get("overflow") in ("hidden", "clip") else ""


def _invisible_colour_property(declarations: Mapping[str, str]) -> str:
    """Returns `color` when it is none or the background's; a picture behind would show it."""
    colour = _normalize_colour(declarations.get("color", ""))
    if colour == "transparent" and not any(name.endswith("background-clip") for name in declarations):
        return "color"  # with that, letters are cut out of a picture
    pictured = "background-image" in declarations or "url(" in declarations.get("background", "")
    grounds = (_normalize_colour(declarations.get(name, "")) for name in ("background-color", "background"))
    return "color" if colour and not pictured and colour in grounds else ""


def _normalize_colour(value: str) -> str:
    """Normalizes a colour to one spelling, as far as the usual ones go."""
    if rgb := _RGB.fullmatch(value):
        return "#{:02x}{:02x}{:02x}".format(*map(int, rgb.groups()))
    if short := _SHORT_HEX.fullmatch(value):
        return "#" + "".join(2 * digit for digit in short.groups())
    return _COLOURS.get(value, value)


def _is_zero(value: str) -> bool:
    return _parse_pixels(value) == 0


def _parse_pixels(value: str, otherwise: float = -1.0) -> float:
    """Parses a length in CSS pixels, `otherwise` for what is none."""
    length = _LENGTH.fullmatch(value)
    return float(length[1]) * _PIXELS[length[2]] if length and length[2] in _PIXELS else otherwise


def _sets_fonts_inside(node: LexborNode) -> bool:
    return any(
        "font-size" in (one.attributes.get("style") or "") or "size" in one.attributes
        for one in islice(node.traverse(), 1, MAX_INSIDE)
    )
