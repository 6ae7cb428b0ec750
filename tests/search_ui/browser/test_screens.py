"""Pages as they look, kept in build/screenshots for people's eyes; and what a machine can tell of looks."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.search_ui.conftest import Site
from tests.search_ui.hit_corpus import ROOMS
from tests.search_ui.kinds import Steps, completing, in_every_state, menu_open, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.chromium, pytest.mark.slow]
KEPT = Path(__file__).parents[3] / "build" / "screenshots"
WIDE: Mapping[str, Any] = {"viewport": {"width": 1000, "height": 760}}
PHONE: Mapping[str, Any] = {"viewport": {"width": 390, "height": 760}, "device_scale_factor": 2}
# At 200 % a window of 1,280 pixels has room for 640 (WCAG 2.2, 1.4.4).
TWICE: Mapping[str, Any] = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
SCREENS: Mapping[str, tuple[Steps, Mapping[str, Any]]] = {
    "search": (opened("/search?q=spider"), WIDE),
    "completions": (completing("web"), WIDE),
    "filters on a phone": (menu_open, PHONE),
    "right to left": (opened("/search?q=words"), WIDE),
    "dark": (opened("/search?q=noted"), {**WIDE, "color_scheme": "dark"}),
    "twice the size": (menu_open, TWICE),
    "forced colours": (menu_open, {**WIDE, "forced_colors": "active"}),
    "less motion": (opened("/search?q=nothing"), {**WIDE, "reduced_motion": "reduce"}),
}
OF_HIT: Mapping[str, tuple[Steps, Mapping[str, Any]]] = {
    "text copy": (opened(f"/text?q=amber&url={ROOMS.url}"), WIDE),
    "why on a phone": (opened(f"/why?q=amber+fern&url={ROOMS.url}"), PHONE),
}
FIRST = ("filters on a phone", "less motion", "text copy")  # of each sort of screen; the others when all run
MOVING = "document.getAnimations().filter(one => one.effect.getComputedTiming().progress !== null).length"
PRINTED = "els => els.filter(el => getComputedStyle(el).display !== 'none').map(el => el.className)"


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    return [] if name in FIRST else [pytest.mark.long]


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks_of(name)) for name in (*SCREENS, *OF_HIT)])
def test_nothing_is_cut_off(browser: "Browser", site: Site, indexed: httpx.Client, name: str) -> None:
    """WCAG 2.2, 1.4.4 and 1.4.10; nothing moves for those who want less of it (2.3.3)."""
    in_every_state(site)
    base = site.address if name in SCREENS else str(indexed.base_url)
    steps, options = {**SCREENS, **OF_HIT}[name]
    tab = browser.new_page(base_url=base, **options)
    steps(tab)
    tab.screenshot(path=KEPT / f"{name.replace(' ', '-')}.png", animations="disabled")
    assert tab.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]
    assert name != "less motion" or not tab.evaluate(MOVING)
    tab.close()


def test_paper_has_the_hits_alone(browser: "Browser", site: Site) -> None:
    """What leads nowhere on paper is not printed."""
    in_every_state(site)
    tab = browser.new_page(base_url=site.address)
    tab.goto("/search?q=spider")
    tab.emulate_media(media="print")
    tab.screenshot(path=KEPT / "paper.png")
    assert tab.locator(".search, .progress, .paging, .narrow, .foot, .hit").evaluate_all(PRINTED) == 10 * [
        "hit"
    ]
    tab.close()
