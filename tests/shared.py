"""Test data that lie beside the checkout, and the reason why a test that needs them is skipped.

A test names what it needs: `@pytest.mark.shared("data/urls/wpt-urltestdata.json")`.
"""

from collections.abc import Iterable
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"


def reason_to_skip(needed: Iterable[str], shared: Path = SHARED, *, skip_nothing: bool = False) -> str:
    """Why a test that needs these files cannot run, '' if it can or has to.

    A clone without any shared data is whole; a file that is missing among others is a fault.
    """
    missing = [name for name in needed if not (shared / name).exists()]
    if not missing or (skip_nothing and shared.is_dir()):
        return ""
    return f"there is no ../shared/{missing[0]} beside the checkout"
