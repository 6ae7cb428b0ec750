"""Builds what each database says in its own words: upserts, and the smaller or greater of two values."""

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import Insert, insert


def insert_new(table: sa.Table) -> Insert:
    """Builds an insert of rows; one whose key is there already stays as it is."""
    return insert(table).on_conflict_do_nothing()


def upsert(table: sa.Table, key: str, row: Mapping[str, Any], changed: Mapping[str, Any]) -> Insert:
    """Builds an insert of a row, or the change of the one that has the same key."""
    return insert(table).values(row).on_conflict_do_update(index_elements=[key], set_=changed)


def upsert_rows(table: sa.Table, key: str, changed: Iterable[str], *, only_different: bool = False) -> Insert:
    """Builds an insert of rows; one whose key is there already gets these columns of the new row.

    With `only_different`, a row that has these values is not written again.
    """
    new = insert(table)
    values = {name: new.excluded[name] for name in changed}
    differs = sa.or_(*(table.c[name].is_distinct_from(value) for name, value in values.items()))
    where = differs if only_different else None
    return new.on_conflict_do_update(index_elements=[key], set_=values, where=where)


def least(one: Any, other: Any) -> sa.ColumnElement[Any]:
    """Returns the smaller of two values, neither of them null."""
    return sa.func.min(one, other)


def greatest(one: Any, other: Any) -> sa.ColumnElement[Any]:
    """Returns the greater of two values, neither of them null."""
    return sa.func.max(one, other)
