"""Defines the crawl database's tables, and opens and upgrades it."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from engine.errors import EngineError
from engine.folder import RunLocks, wait_for_folder
from engine.store.migrations import migrate

SCHEMA_VERSION = 13  # goes up with each revision in engine/store/migrations/versions
APPLICATION_ID = 0x4C59434F  # 'LYCO', SQLite's mark of who a file belongs to
NEAR = ("near_1", "near_2", "near_3", "near_4", "near_5", "near_6")
BUSY_SECONDS = 30  # a writer waits this long for another process's commit

logger = logging.getLogger("lycosa")
metadata = sa.MetaData()

hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("host", sa.Text, nullable=False, unique=True),  # scheme://name[:port]
    sa.Column("robots", sa.LargeBinary),  # the last answer to /robots.txt: engine.packing
    sa.Column("rechecked", sa.Integer),  # the last of its URLs judged by new rules; None: all were
    sa.Column("refreshed", sa.Boolean),  # by `scrapy robots --refresh`, for a running crawl to take up
    sa.Column("lease", sa.Integer),  # the run that alone may ask it
    sa.Column("ready_at", sa.Float),  # not to be asked before, by what the run before has learned
    sa.Column("rest_until", sa.Float),  # it asked not to be asked before (RFC 9110, 10.2.3)
    sa.Column("called", sa.Boolean),  # somebody has queued URLs of it and has not its lease
    sa.Column("machine", sa.Text),  # at which it answered last, where that is public: engine.linkgraph
    sa.Column("domain", sa.Text),  # registrable: engine.frontier.domains
    sa.Column("twin", sa.Text),  # the host that represents it: engine.store.twins
    sa.Column("round", sa.Integer),  # the last in which all that is known of it was due (engine.crawl.run)
    # What it shows, with status 200, where there is no page; None: nothing, or not known.
    sa.Column("soft_shape", sa.LargeBinary),
    sa.Column("soft_page", sa.Text),  # where it sends who asks for one
    sa.Column("soft_at", sa.Float),
)
sa.Index("hosts_rechecked", hosts.c.id, sqlite_where=hosts.c.rechecked.is_not(None))
sa.Index("hosts_of_domain", hosts.c.domain)
sa.Index("hosts_refreshed", hosts.c.id, sqlite_where=hosts.c.refreshed)
sa.Index("hosts_called", hosts.c.id, sqlite_where=hosts.c.called)
sa.Index("hosts_leased", hosts.c.lease, sqlite_where=hosts.c.lease.is_not(None))

urls = sa.Table(
    "urls",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sa.Column("host_id", sa.Integer, sa.ForeignKey("hosts.id"), nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False, default=0),
    sa.Column("hops", sa.Integer, nullable=False, default=0),
    sa.Column("parent_id", sa.Integer),  # where it was found first (requirement 16)
    sa.Column("found_at", sa.Float, nullable=False),
    sa.Column("visited_at", sa.Float),
    sa.Column("status", sa.Integer),  # of the last answer, 0 when none came
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("alias_of", sa.Text),
    sa.Column("fails", sa.Integer, nullable=False, default=0),  # in a row
    sa.Column("missing_since", sa.Float),  # of the first 404 in a row
    sa.Column("etag", sa.Text, nullable=False, default=""),
    sa.Column("last_modified", sa.Text, nullable=False, default=""),
    sa.Column("bytes", sa.Integer, nullable=False, default=0),
    sa.Column("kind", sa.Text, nullable=False, server_default="page"),  # or sitemap
    sa.Column("listed", sa.Boolean),  # a sitemap of its host names it
    sa.Column("priority", sa.Float, nullable=False, server_default="0.5"),  # by a sitemap, 0 to 1
    sa.Column("modified_at", sa.Float),  # by a sitemap
    sa.Column("every", sa.Float),  # seconds between changes, by a sitemap
    sa.Column("due_at", sa.Float),  # not to be visited before
    sa.Column("may_stand", sa.Boolean),  # of a copy: in place of the page that stands: engine.linkgraph
    sa.Column("rest", sa.Float),  # seconds between visits, as learned: engine.store.revisit
    sa.Column("turn", sa.Integer, nullable=False, default=0, server_default="0"),  # the round it waits in
)
# What failed waits for the others. What was queued by hand (turn 0) goes first, then what earlier rounds have
# left: so no host's line is ever so long that its oldest do not come. Sitemaps have depths below zero.
WAITING = (urls.c.fails, urls.c.turn, urls.c.depth, urls.c.priority.desc(), urls.c.id)
sa.Index("urls_of_host", urls.c.host_id)  # for what concerns all of a host: new rules, the next crawl
sa.Index("urls_seeds", urls.c.id, sqlite_where=urls.c.depth == 0)
sa.Index("urls_aliases", urls.c.alias_of, sqlite_where=urls.c.alias_of.is_not(None))
sa.Index("urls_missing", urls.c.missing_since, sqlite_where=urls.c.missing_since.is_not(None))
sa.Index("urls_forced", urls.c.id, sqlite_where=urls.c.reason == "forced")  # engine.store.wanted
# The frontier: only what waits is in this index, in the order in which it is asked.
sa.Index(
    "urls_in_turn",
    urls.c.host_id,
    *WAITING,
    sqlite_where=urls.c.state == "queued",
    postgresql_where=urls.c.state == "queued",
)

pages = sa.Table(
    "pages",
    metadata,
    sa.Column("url_id", sa.Integer, sa.ForeignKey("urls.id"), primary_key=True),
    sa.Column("fetched_at", sa.Float, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.LargeBinary, nullable=False, index=True),
    sa.Column("content", sa.LargeBinary, nullable=False),  # engine.packing
    sa.Column("expires_at", sa.Float),  # unavailable_after: the page leaves then
    sa.Column("flag", sa.Text),  # why it says nothing: engine.model.page.Flag
    # Near duplicates share one of these keys (engine.text.duplicates); they go where the page goes.
    *(sa.Column(name, sa.BigInteger) for name in NEAR),
)
sa.Index("pages_flagged", pages.c.flag, sqlite_where=pages.c.flag.is_not(None))
for _name in NEAR:
    sa.Index(f"pages_{_name}", pages.c[_name], sqlite_where=pages.c[_name].is_not(None))
sa.Index("pages_that_expire", pages.c.expires_at, sqlite_where=pages.c.expires_at.is_not(None))

# What the index has to follow: one row a URL, with a new number at each change.
changes = sa.Table(
    "changes",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sqlite_autoincrement=True,
)

# What was removed, with the receipt of each removal; nothing is ever deleted here (requirement 50).
blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),  # URL, host, prefix
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("contact", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("undone_at", sa.Float),
)
sa.Index("blocks_undone", blocks.c.undone_at, sqlite_where=blocks.c.undone_at.is_not(None))

# Suspected crawler traps (engine.store.suspects); the operator judges them.
suspects = sa.Table(
    "suspects",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("rule", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # of the target, as in blocks
    sa.Column("target", sa.Text, nullable=False),  # what accepting blocks
    sa.Column("example", sa.Text, nullable=False),
    sa.Column("times", sa.Integer, nullable=False),  # in the last run that saw it
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("first_at", sa.Float, nullable=False),
    sa.Column("last_at", sa.Float, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),  # accepted, dismissed, '' while it waits for that
    sa.UniqueConstraint("host", "rule", "target"),
)

# Pages on which secrets stand (engine.store.quarantine); what the secrets are is kept nowhere.
quarantine = sa.Table(
    "quarantine",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sa.Column("kinds", sa.Text, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),  # of the text, from 1; 0: outside of it
    sa.Column("found_at", sa.Float, nullable=False),
    sa.Column("released_at", sa.Float),  # the operator lets it in, with secrets of these kinds
)

# URLs that people want visited (engine.store.submissions).
submissions = sa.Table(
    "submissions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),  # '' while it waits for the operator
)
sa.Index("submissions_outcome", submissions.c.outcome)

# URLs at which a crawl begins, and where each came from: engine.roots.
roots = sa.Table(
    "roots",
    metadata,
    sa.Column("url", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
)

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),  # crawl, rebuild
    sa.Column("started_at", sa.Float, nullable=False),
    sa.Column("beat_at", sa.Float, nullable=False),  # last sign of life
    sa.Column("ended_at", sa.Float),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("counters", sa.Text, nullable=False, default="{}"),  # JSON object
    sa.Column("examples", sa.Text),  # JSON object: a URL that was left for each rule that left some
    sa.Column("idle", sa.Boolean),  # has nothing to do unless another run calls for one of its hosts
    sa.Column("round", sa.Integer),  # the run with which the round began that this one is a part of
    sa.Column("sites", sa.Text),  # what it crawls: a digest, equal for runs that may share the work
)
sa.Index("runs_alive", runs.c.id, sqlite_where=runs.c.ended_at.is_(None))


def open_database(data_dir: Path, busy_seconds: float = BUSY_SECONDS) -> sa.Engine:
    """Opens the crawl database of a data folder, made when it is not there, migrated where it is older.

    Who writes waits `busy_seconds` for another process's commit. Raises EngineError for a folder that cannot
    be written, a file of another program, one of a newer Lycosa, or an older one that a crawl is using.
    """
    path = data_dir / "crawl.db"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": busy_seconds})
        event.listen(engine, "connect", _prepare)
        if _read_version(engine, path) != SCHEMA_VERSION:
            _bring_up_to_date(engine, data_dir)
    except OSError as error:
        raise EngineError(
            f"cannot write to the data folder {data_dir}: {error.strerror}; "
            "choose another with -s DATA_DIR=FOLDER"
        ) from error
    except (
        sa.exc.DatabaseError,
        sqlite3.DatabaseError,
        ValueError,
    ) as error:  # ValueError: a name is no text
        raise EngineError(
            f"cannot open {path}: {getattr(error, 'orig', error)}; if it is not a database of Lycosa, "
            "choose another folder with -s DATA_DIR=FOLDER; restore a damaged one from a backup"
        ) from error
    return engine


@contextmanager
def write_transaction(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Begins a write transaction: what it reads stays true until its end."""
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def truncate_wal(engine: sa.Engine) -> None:
    """Checkpoints the write-ahead log and truncates it, unless it is being read."""
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    # WAL: readers never wait for the writer. NORMAL: a commit survives kill -9 (not a power
    # cut, which loses the last commits but harms nothing: sqlite.org/wal.html).
    # No mmap: it was no faster, and what is mapped counts as memory of every process that reads.
    # What is deleted is overwritten: else the text stays in the file (sqlite.org/pragma.html).
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-32768", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _read_version(engine: sa.Engine, path: Path) -> int:
    """Reads which schema the file has, 0 for an empty one. Raises EngineError for one that is not for us."""
    with engine.connect() as connection:
        owner = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        empty = not owner and not sa.inspect(connection).get_table_names()
    if owner != APPLICATION_ID and not empty:
        raise EngineError(f"{path} belongs to another program; choose another folder with -s DATA_DIR=FOLDER")
    if version > SCHEMA_VERSION:
        raise EngineError(
            f"{path} was written by a newer Lycosa (its format is {version}, ours {SCHEMA_VERSION}); "
            "install that version, or choose another folder with -s DATA_DIR=FOLDER"
        )
    return version


def _bring_up_to_date(engine: sa.Engine, data_dir: Path) -> None:
    """Makes the tables of an empty file, or migrates an older one, in one transaction.

    Who comes second waits, and finds it done. A crawl that is at work is of the older Lycosa: it would go on
    writing what it knows of.
    """
    path = data_dir / "crawl.db"
    with wait_for_folder(data_dir, "migration"):
        version = _read_version(engine, path)
        if not version:
            with write_transaction(engine) as connection:
                connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
                metadata.create_all(connection)
                connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
        elif version != SCHEMA_VERSION:
            with closing(RunLocks(data_dir)) as runs_of_others, runs_of_others.lock_all("a migration"):
                logger.warning("%s is migrated from schema %d to %d", path, version, SCHEMA_VERSION)
                with write_transaction(engine) as connection:
                    migrate(connection, version)
