"""Builds what each database says in its own words: upserts, smaller or greater values, lists of values."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import Insert, insert  # SQLite has taken ON CONFLICT over, word by word
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateColumn
from sqlalchemy.sql.compiler import DDLCompiler, SQLCompiler


def insert_new(table: sa.Table) -> Insert:
    """Builds an insert of rows; one whose key is there already stays. Its `rowcount` is that of new rows."""
    return insert(table).inline().on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def upsert(table: sa.Table, key: str, row: Mapping[str, Any], changed: Mapping[str, Any]) -> Insert:
    """Builds an insert of a row, or the change of the one that has the same key."""
    return insert(table).values(row).on_conflict_do_update(index_elements=[key], set_=changed)


def replace_row(table: sa.Table, row: Mapping[str, Any]) -> Insert:
    """Builds an insert of a row in place of the one that has the same key."""
    new, keys = insert(table), [column.name for column in table.primary_key]
    values = {name: new.excluded[name] for name in row if name not in keys}
    return new.values(row).on_conflict_do_update(index_elements=keys, set_=values)


def upsert_rows(table: sa.Table, key: str, changed: Iterable[str], *, only_different: bool = False) -> Insert:
    """Builds an insert of rows; one whose key is there already gets these columns of the new row.

    With `only_different`, a row that has these values is not written again.
    """
    new = insert(table)
    values = {name: new.excluded[name] for name in changed}
    differs = sa.or_(*(table.c[name].is_distinct_from(value) for name, value in values.items()))
    where = differs if only_different else None
    return new.on_conflict_do_update(index_elements=[key], set_=values, where=where)


class _ListOf(sa.types.TypeDecorator[Sequence[Any]]):
    """Values that are one parameter: an array, or JSON in SQLite, which has none."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, item: sa.types.TypeEngine[Any]) -> None:
        super().__init__()
        self.item = item

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        return sa.Text() if dialect.name == "sqlite" else postgresql.ARRAY(self.item)

    def process_bind_param(self, value: Sequence[Any] | None, dialect: sa.Dialect) -> Any:
        return json.dumps(value) if dialect.name == "sqlite" else value


class _each(sa.sql.functions.GenericFunction[Any]):  # noqa: N801 - a table of SQL
    """The values of a list, a row each."""

    inherit_cache = True


@compiles(_each, "sqlite")
def _compile_each_of_json(element: _each, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT value FROM json_each{compiler.process(element.clause_expr, **options)})"  # noqa: S608


@compiles(_each, "postgresql")
def _compile_each_of_array(element: _each, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT unnest{compiler.process(element.clause_expr, **options)} AS value)"


def is_among(column: sa.ColumnElement[Any], values: str | Sequence[Any]) -> sa.ColumnElement[bool]:
    """Builds the comparison of a column with a list of values, or with one to come as a parameter by name.

    However many there are, they are one parameter, and the statement has the same text.
    """
    kind = _ListOf(column.type)
    parameter = sa.bindparam(values, type_=kind) if isinstance(values, str) else sa.literal([*values], kind)
    return column.op("IN", is_comparison=True)(_each(parameter))


def list_table(name: str, kind: sa.types.TypeEngine[Any]) -> sa.TableValuedAlias:
    """Builds a table of a list that comes as one parameter by this name: a row for each `value`."""
    values = sa.bindparam(name, type_=_ListOf(kind))
    return _each(values).table_valued(sa.column("value", kind), name="given")


class is_selected(sa.sql.functions.GenericFunction[Any]):  # noqa: N801 - a condition of SQL
    """Whether a value is one of those that a query gives, which has to do with another table's row.

    Said with IN alone, a server would make the query for each row of the table that the value is of.
    """

    inherit_cache = True


@compiles(is_selected, "sqlite")
def _compile_is_selected(element: is_selected, compiler: SQLCompiler, **options: Any) -> str:
    value, query = (compiler.process(part, **options) for part in element.clauses)
    return f"{value} IN {query}"


@compiles(is_selected, "postgresql")
def _compile_is_in_array(element: is_selected, compiler: SQLCompiler, **options: Any) -> str:
    value, query = (compiler.process(part, **options) for part in element.clauses)
    return f"{value} = ANY (ARRAY{query})"


class least(sa.sql.functions.GenericFunction[Any]):  # noqa: N801 - a function of SQL
    """The smaller of two values, neither of them null."""

    inherit_cache = True


class greatest(sa.sql.functions.GenericFunction[Any]):  # noqa: N801 - the same
    """The greater of two values, neither of them null."""

    inherit_cache = True


@compiles(least, "sqlite")
def _compile_least(element: least, compiler: SQLCompiler, **options: Any) -> str:
    return f"min{compiler.process(element.clause_expr, **options)}"


@compiles(greatest, "sqlite")
def _compile_greatest(element: greatest, compiler: SQLCompiler, **options: Any) -> str:
    return f"max{compiler.process(element.clause_expr, **options)}"


@compiles(CreateColumn, "postgresql")
def _order_by_code_points(element: CreateColumn, compiler: DDLCompiler, **options: Any) -> str:
    """Orders texts by code points, as SQLite does, whatever the language of the server."""
    words: str = compiler.visit_create_column(element, **options)  # type: ignore[no-untyped-call]
    return words.replace(" TEXT", ' TEXT COLLATE "C"', 1)
