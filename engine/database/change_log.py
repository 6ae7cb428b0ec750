"""Logs which URLs' pages changed or left; the index follows these numbers."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from engine.database.tables import changes


def log_change(selected: sa.Select[Any] | None = None) -> sa.Insert:
    """Builds the statement that gives a new number, the highest, to `url` or to the URLs selected."""
    statement = insert(changes).prefix_with("OR REPLACE")
    return statement if selected is None else statement.from_select(["url"], selected)
