"""Cases as tables: each file a JSON list of rows, each row ending in its why."""

import json
from pathlib import Path
from typing import Any

import pytest


def table(name: str) -> list[Any]:
    """The rows of one table as parameters; a case is called by its why."""
    rows = json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return [pytest.param(*row, id=row[-1]) for row in rows]
