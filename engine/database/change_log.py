"""Logs which URLs' pages changed or left; the index follows these numbers.

Readers see a number no later than any greater one, as who writes is alone (`write_transaction`): else a
follower that has read 2 would never see 1, committed after it.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database.tables import changes


def log_change(selected: sa.Select[Any] | None = None) -> sa.Insert:
    """Builds the statement that gives a new number, the highest, to `url` or to the URLs selected."""
    new = insert(changes)
    statement = new.on_conflict_do_update(index_elements=["url"], set_={"seq": new.excluded.seq})
    return statement if selected is None else statement.from_select(["url"], selected)
