"""What all tests share: what a machine lacks is skipped with a reason, in CI nothing is."""

import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("lycosa", deadline=None)  # a time says more of the machine than of the code
settings.load_profile("lycosa")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
SKIP_NOTHING = bool(os.environ.get("LYCOSA_SKIP_NOTHING"))

MISSING: dict[str, Callable[[], bool]] = {
    "chromium": lambda: not (shutil.which("chromium") and importlib.util.find_spec("playwright")),
    "nginx": lambda: not shutil.which("nginx"),
    "shared": lambda: not SHARED.is_dir(),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here; where nothing may be skipped, let it run and fail."""
    if SKIP_NOTHING:
        return
    for name, missing in MISSING.items():
        if missing():
            for item in items:
                if item.get_closest_marker(name):
                    item.add_marker(pytest.mark.skip(reason=f"there is no {name} on this machine"))
