"""Connects to the schema of a link graph: reads, steps that write, and moments that are read as a whole.

A connection that was lost, as when its server was started anew, is opened again before the next question or
step, never within one. What the server says no to becomes one of our errors.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, TypeVar
from zlib import crc32

import psycopg
from psycopg import Connection, Cursor
from psycopg.errors import InsufficientPrivilege, InvalidSchemaName, UndefinedTable

from engine.errors import DamagedError, Unreadable
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql.arrays import register_arrays
from engine.postgresql import make_parameters

BUSY_SECONDS = 30.0  # a writer waits this long for another one's step
# The first half of the key of an advisory lock (PostgreSQL's documentation, 13.3.5), 'LYGR'; the second is
# the schema. Two schemas of one key take turns, which does no harm.
WRITE_LOCK = 0x4C594752

# A server that is away, full, damaged or a standby, or lets this user not do so; anything else is a bug.
_AWAY = (psycopg.OperationalError, psycopg.InternalError, psycopg.InterfaceError, InsufficientPrivilege)
# Every question looks up keys, which a plan does that is made for the sizes of now. One that is kept was made
# while tables were small, or before the server had counted their rows, and reads the whole of them; compiling
# takes longer than what is compiled.
_PLANS = {
    "plan_cache_mode": "force_custom_plan",
    **dict.fromkeys(("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"), "off"),
}

Rows = list[tuple[Any, ...]]
T = TypeVar("T")


class SchemaConnection:
    """A connection to one schema, opened when it is needed. All raises Unreadable and DamagedError."""

    def __init__(self, schema: GraphSchema, opened: Callable[[], object] = lambda: None) -> None:
        """`opened` is called for each connection: the server may have lost what was known of it."""
        self._schema = schema
        self._opened = opened
        self._connection: Connection | None = None
        self._lock = f"SELECT pg_advisory_xact_lock({WRITE_LOCK}, {_signed(crc32(schema.name.encode()))})"

    def close(self) -> None:
        """Closes it."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def fetch(self, query: str, *parameters: Any) -> Rows:
        """Fetches the rows of one query, which sees what is committed by then."""
        with self._explain():
            return self._retry(lambda connection: _execute(connection, query, parameters).fetchall())

    @contextmanager
    def step(self) -> Iterator["Step"]:
        """Begins a transaction in which nobody else writes; after a kill all of it is there, or nothing."""
        with self._explain(), self._transaction(f"BEGIN; {self._lock}") as connection:
            yield Step(connection)

    @contextmanager
    def moment(self) -> Iterator["Step"]:
        """Begins a transaction that reads, and sees what is committed by then to its end."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        with self._explain(), self._transaction(begin) as connection:
            yield Step(connection)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        """Ends what was begun by COMMIT; else, whatever ends the work within, by ROLLBACK."""
        with ExitStack() as otherwise:
            otherwise.callback(self._roll_back)
            connection = self._retry(lambda connection: connection.execute(begin, prepare=False).connection)
            yield connection
            connection.execute("COMMIT")
            otherwise.pop_all()

    def _roll_back(self) -> None:
        with suppress(psycopg.Error):
            if self._connection:
                self._connection.execute("ROLLBACK")

    def _retry(self, attempt: Callable[[Connection], T]) -> T:
        """Tries on the connection that there is, and once more on a new one if that was lost."""
        if self._connection and not self._connection.closed:
            try:
                return attempt(self._connection)
            except psycopg.OperationalError:
                if not self._connection.closed:
                    raise
        self.close()
        self._connection = _connect(self._schema)
        self._opened()
        return attempt(self._connection)

    @contextmanager
    def _explain(self) -> Iterator[None]:
        """Raises our errors for psycopg's."""
        try:
            yield
        except (InvalidSchemaName, UndefinedTable) as error:
            raise DamagedError(self._schema) from error
        except _AWAY as error:
            raise Unreadable(self._schema.url, str(error).split("\n")[0].strip()) from error


class Step:
    """A transaction under way."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fetch(self, query: str, *parameters: Any) -> Rows:
        """Fetches the rows of a query."""
        return _execute(self._connection, query, parameters).fetchall()

    def read_portions(self, query: str, *parameters: Any, at_once: int) -> Iterator[Rows]:
        """Reads the rows of a query, so many at once; the server keeps the others."""
        with self._connection.cursor("portions", binary=True) as cursor:
            cursor.execute(query, parameters)
            while rows := cursor.fetchmany(at_once):
                yield rows

    def execute(self, statement: str, *parameters: Any) -> None:
        """Runs a statement that returns nothing."""
        _execute(self._connection, statement, parameters)

    def execute_many(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        """Runs a statement for each row, all sent at once."""
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, rows)

    def pipeline(self) -> AbstractContextManager[object]:
        """Sends what is executed within without waiting for answers."""
        return self._connection.pipeline()

    def copy(self, target: str, types: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> None:
        """Copies rows into a table."""
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {target} FROM STDIN (FORMAT BINARY)") as copy,
        ):
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)


def _execute(connection: Connection, query: str, parameters: tuple[Any, ...]) -> Cursor[tuple[Any, ...]]:
    return connection.execute(query, parameters, binary=True)


def _connect(schema: GraphSchema) -> Connection:
    parameters = make_parameters(BUSY_SECONDS, schema.silent_seconds, {"search_path": schema.name, **_PLANS})
    connection = psycopg.connect(schema.url, autocommit=True, **parameters)
    register_arrays(connection.adapters)
    return connection


def _signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number
