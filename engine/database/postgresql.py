"""Opens the crawl database as one of a PostgreSQL server, which crawls of several machines share."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa

from engine.database.identity import create_identity
from engine.database.migrations import migrate
from engine.database.tables import SCHEMA_VERSION, metadata
from engine.errors import EngineError
from engine.postgresql import CLIENT_SECONDS, make_parameters

# Keys of advisory locks (PostgreSQL's documentation, 13.3.5), of this database alone: 'LYCO' and a number.
WRITE_LOCK = 0x4C59434F_00000001
MIGRATION_LOCK = 0x4C59434F_00000002
RUN_LOCKS = 0x4C595255  # 'LYRU', the first half; the second is a run
SIDE_LOCKS = 0x4C595344  # 'LYSD', the first half; the second is a hash of the side database's name

_LOCK_WRITERS = f"SELECT pg_advisory_xact_lock({WRITE_LOCK})"

logger = logging.getLogger("lycosa")
_version = sa.Table("schema_version", sa.MetaData(), sa.Column("number", sa.Integer, nullable=False))


def open_server(url: str, busy_seconds: float, silent_seconds: float = CLIENT_SECONDS) -> sa.Engine:
    """Opens the database at a postgresql:// URL, its tables made when it is empty, migrated when older.

    A silent server is waited for `silent_seconds`; for a connection 2 at least, which is libpq's least.
    Raises EngineError where the server cannot be reached, or the database is another program's.
    """
    engine = create_server_engine(url, busy_seconds, silent_seconds)
    try:
        if _read_version(engine, url) != SCHEMA_VERSION:
            _bring_up_to_date(engine, url)
    except EngineError:
        engine.dispose()
        raise
    except sa.exc.DBAPIError as error:
        engine.dispose()
        raise explain_refusal(url, error) from error
    return engine


def connect_autocommit(engine: sa.Engine) -> sa.Connection:
    """Opens a connection whose every statement stands alone: BEGIN and ROLLBACK cost two ways more."""
    return engine.connect().execution_options(isolation_level="AUTOCOMMIT")


def allow_idle(connection: sa.Connection) -> None:
    """Lets the transaction stand idle longer than who is away may keep a lock (engine.postgresql)."""
    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


@contextmanager
def begin_writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Begins a transaction that writes: one at a time, as SQLite's BEGIN IMMEDIATE."""
    with engine.begin() as connection:
        connection.exec_driver_sql(_LOCK_WRITERS)
        yield connection


def create_server_engine(
    url: str, busy_seconds: float, silent_seconds: float = CLIENT_SECONDS, schema: str = ""
) -> sa.Engine:
    """Creates the engine alone: nothing is sent yet. Raises EngineError where psycopg is not installed.

    With a `schema` its connections see that alone, and are closed after use.
    """
    try:
        dumpers = _make_dumpers()
    except ImportError as error:
        raise EngineError(f"{url} needs psycopg, which is not installed: run 'make postgresql'") from error
    engine = sa.create_engine(
        sa.make_url(url).set(drivername="postgresql+psycopg"),
        connect_args=make_parameters(busy_seconds, silent_seconds, {"search_path": schema} if schema else {}),
        poolclass=sa.NullPool if schema else None,
    )

    @sa.event.listens_for(engine, "connect")
    def register(connection: Any, _: object) -> None:
        for kind, dumper in dumpers:
            connection.adapters.register_dumper(kind, dumper)

    return engine


def _make_dumpers() -> Sequence[tuple[type, type[Any]]]:
    """Makes psycopg's classes for texts and lists. Raises ImportError without psycopg, which is an extra."""
    from psycopg.types.array import ListBinaryDumper
    from psycopg.types.string import StrBinaryDumper, StrDumper

    class ZeroFreeDumper(StrDumper):
        """PostgreSQL refuses U+0000 in a text, and any server may send one in a header."""

        def dump(self, obj: str) -> Any:
            return super().dump(_replace_zeros(obj))

    class ZeroFreeBinaryDumper(StrBinaryDumper):
        """The same of a text in a list: octets as they are, for pages in text are twice as long."""

        def dump(self, obj: str) -> Any:
            return super().dump(_replace_zeros(obj))

    return (str, ZeroFreeBinaryDumper), (str, ZeroFreeDumper), (list, ListBinaryDumper)


def _replace_zeros(text: str) -> str:
    return text.replace("\0", "\ufffd") if "\0" in text else text


def explain_refusal(url: str, error: sa.exc.DBAPIError) -> EngineError:
    """Explains why a database cannot be opened."""
    return EngineError(
        f"cannot use the crawl database {url}: {describe_error(error)}; is the server up, has its disk room, "
        "and may this user connect (PGPASSWORD or ~/.pgpass)?"
    )


def describe_error(error: sa.exc.SQLAlchemyError) -> str:
    """Returns the first line of what the server or its client said."""
    lines = str(getattr(error, "orig", error)).split("\n")
    return lines[0].strip()


def purge_deleted(engine: sa.Engine) -> None:
    """Lets the server use the room of deleted pages again: until then their texts stay in its files."""
    with connect_autocommit(engine) as connection:  # VACUUM has to be outside of any transaction
        for table in ("pages", "urls", "changes"):
            connection.exec_driver_sql(f"VACUUM {table}")


def _read_version(engine: sa.Engine, url: str) -> int:
    """Reads which schema the database has, 0 of an empty one. Raises EngineError for one not for us."""
    with engine.connect() as connection:
        # One question: between two, others who find it empty, too, may have made the tables.
        names = sa.inspect(connection).get_table_names()
        if _version.name not in names:
            if names:
                raise EngineError(f"{url} has tables of another program; make an empty database for Lycosa")
            return 0
        version = cast(int, connection.execute(sa.select(_version.c.number)).scalar_one())
    if version > SCHEMA_VERSION:
        raise EngineError(
            f"{url} was written by a newer Lycosa (its format is {version}, ours {SCHEMA_VERSION}); "
            "install that version, or name another database"
        )
    return version


def _bring_up_to_date(engine: sa.Engine, url: str) -> None:
    """Makes the tables of an empty database, or migrates older ones, in one transaction; a second waits."""
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        version = _read_version(engine, url)
        if not version:
            _require_unicode(connection, url)
            _version.metadata.create_all(connection)
            connection.execute(sa.insert(_version), {"number": SCHEMA_VERSION})
            metadata.create_all(connection)
            create_identity(connection)
        elif version != SCHEMA_VERSION:
            _require_no_runs(connection, url)
            logger.warning("%s is migrated from schema %d to %d", url, version, SCHEMA_VERSION)
            migrate(connection, version, _note_version)


def _require_unicode(connection: sa.Connection, url: str) -> None:
    """Raises EngineError for a database that cannot hold every text."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        raise EngineError(f"{url} has the encoding {encoding}: make it by createdb --encoding=UTF8")


def _require_no_runs(connection: sa.Connection, url: str) -> None:
    """Raises EngineError while a crawl is at work: it is of the older Lycosa."""
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({RUN_LOCKS}, 0)").scalar_one():
        raise EngineError(f"another crawl is using {url}; wait for it, or stop it")


def _note_version(connection: sa.Connection, version: int) -> None:
    connection.execute(sa.update(_version).values(number=version))
