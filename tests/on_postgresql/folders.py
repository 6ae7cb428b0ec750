"""Gives each data folder a database of a server in the place of its file of SQLite.

In crawl.db stand the database's name and the folder's path: a folder that was copied gets a copy.
"""

import os
import uuid
from pathlib import Path

import sqlalchemy as sa

from engine.database import SideDatabase, postgresql, run_locks, side, sqlite
from engine.frontier import paused_hosts

SERVER = "LYCOSA_TEST_SERVER"  # the URL of a server, without a database
FILE = "crawl.db"


def use_server() -> None:
    """Has this process use the server that the environment names, if it names one."""
    if not os.environ.get(SERVER):
        return
    import psycopg

    # Crawls that a test has left, or killed, close their connections when they are collected; it would warn.
    setattr(psycopg.Connection, "__del__", lambda connection: None)  # noqa: B010
    setattr(sqlite, "open_file", _open)  # noqa: B010 - of a module: mypy knows better
    setattr(side, "_open_file_engine", _open_side)  # noqa: B010
    setattr(run_locks, "RunLocks", lambda folder: run_locks.ServerRunLocks(locate(folder)))  # noqa: B010
    setattr(paused_hosts, "FolderPauses", lambda folder: paused_hosts.ServerPauses(locate(folder)))  # noqa: B010


def locate(folder: Path) -> str:
    """Returns the URL of a folder's database, made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    marker, path = folder / FILE, str(folder.resolve())
    template = "template1"
    if marker.exists():
        name, written = marker.read_text().split("\n")
        if written == path:
            return f"{os.environ[SERVER]}/{name}"
        template = name
        marker.unlink()
    name = f"folder_{uuid.uuid4().hex}"
    _execute(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{template}'",
        f"CREATE DATABASE {name} TEMPLATE {template}",
    )
    draft = folder / f"{name}.draft"
    draft.write_text(f"{name}\n{path}")
    try:
        os.link(draft, marker)
    except FileExistsError:  # another process was first
        return locate(folder)
    finally:
        draft.unlink()
    return f"{os.environ[SERVER]}/{name}"


def _open(data_dir: Path, busy_seconds: float, cache_kib: int) -> sa.Engine:
    return postgresql.open_server(locate(data_dir), busy_seconds)


def _open_side(data_dir: Path, of: SideDatabase, *, is_made: bool) -> sa.Engine:
    return side._open_server_engine(locate(data_dir), of)


def _execute(*statements: str) -> None:
    url = sa.make_url(f"{os.environ[SERVER]}/postgres").set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
