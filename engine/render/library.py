"""Finds what renders: playwright, which is an extra, and the system's Chromium."""

import shutil
from types import ModuleType

from engine.errors import EngineError

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)  # of the program, by systems


def import_playwright() -> ModuleType:
    """Imports playwright.async_api. Raises EngineError where it is not installed."""
    try:
        from playwright import async_api
    except ImportError as error:
        raise EngineError(
            "pages are rendered by playwright, which is not installed: run 'make render', "
            "or 'pip install -c constraints.txt playwright', or write render = \"never\""
        ) from error
    return async_api


def find_chromium() -> str:
    """Finds the path of Chromium. Raises EngineError where there is none."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise EngineError(
        "pages are rendered by Chromium, and there is none here: install your system's package chromium, "
        'or write render = "never"'
    )


def require_rendering() -> None:
    """Raises EngineError where pages cannot be rendered here, as far as one sees without trying."""
    import_playwright()
    find_chromium()
