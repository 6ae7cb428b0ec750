"""Defines the tables of the side databases: what people have to do with Lycosa, beside the crawl.

Each lies in a file of its own in the data folder, or in a schema of its own of the server's database: so a
role that may read the crawl's tables need not see hashes of passwords.
"""

from dataclasses import dataclass, field

import sqlalchemy as sa


@dataclass(frozen=True, slots=True, eq=False)
class SideDatabase:
    """A few tables of one concern; a writer waits `busy_seconds` for another."""

    name: str  # of its schema on a server
    file: str  # in the data folder
    busy_seconds: float
    metadata: sa.MetaData = field(default_factory=sa.MetaData)


OWNERS = SideDatabase("owners", "owners.db", 5.0)  # of sites: engine.ownership
ADMIN = SideDatabase("admin", "admin.db", 30.0)  # the operator: engine.admin
ALERTS = SideDatabase("alerts", "alerts.db", 30.0)  # alarms, and messages of them that wait: engine.alerts
RECRAWL = SideDatabase("recrawl", "recrawl.db", 5.0)  # tokens of programs: engine.submission
COMPLAINTS = SideDatabase("complaints", "complaints.db", 5.0)  # of owners: engine.complaints
VIEWERS = SideDatabase("viewers", "viewers.db", 5.0)  # who has signed in: engine.oidc
SIDES = (OWNERS, ADMIN, ALERTS, RECRAWL, COMPLAINTS, VIEWERS)
PAUSES = SideDatabase("pauses", "paused_hosts.tsv", 5.0)  # a text in a folder: engine.frontier
SCHEMAS = (*SIDES, PAUSES)  # of a server

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # SQLite counts rows where it is INTEGER

# Of a session's id and of the password there are hashes alone: nothing here opens anything.
sessions = sa.Table(
    "sessions",
    ADMIN.metadata,
    sa.Column("id_hash", sa.LargeBinary, primary_key=True),
    sa.Column("begun_at", sa.Float),
    sa.Column("seen_at", sa.Float),
    sqlite_with_rowid=False,
)
sessions.to_metadata(OWNERS.metadata)  # owners have theirs, by the same statements

password = sa.Table(
    "password",
    ADMIN.metadata,
    sa.Column("number", _NUMBER, sa.CheckConstraint("number = 1"), primary_key=True, autoincrement=False),
    sa.Column("hash", sa.Text),
    sa.Column("set_at", sa.Float),
)

attempts = sa.Table(
    "attempts",
    ADMIN.metadata,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("at", sa.Float),
    sa.Column("network", sa.Text),
    sa.Column("is_local", sa.Boolean),
)

audit = sa.Table(
    "audit",
    ADMIN.metadata,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("at", sa.Float),
    sa.Column("address", sa.Text),
    sa.Column("action", sa.Text),
    sa.Column("detail", sa.Text),
    sqlite_autoincrement=True,
)

# The value that stands on a site, by which nobody finds the key.
proofs = sa.Table(
    "proofs",
    OWNERS.metadata,
    sa.Column("host", sa.Text, primary_key=True),  # scheme://name[:port]
    sa.Column("value", sa.Text, primary_key=True),
    sa.Column("at", sa.Float),
    sqlite_with_rowid=False,
)

grants = sa.Table(
    "grants",
    OWNERS.metadata,
    sa.Column("id_hash", sa.LargeBinary, primary_key=True),
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("value", sa.Text),
    sqlite_with_rowid=False,
)

owner_removals = sa.Table(
    "removals",
    OWNERS.metadata,
    sa.Column("host", sa.Text),
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),  # of the crawl database's blocks
    sa.Column("pages", sa.Integer),
    sqlite_with_rowid=False,
)
sa.Index("removals_of_host", owner_removals.c.host)

checks = sa.Table(
    "checks",
    OWNERS.metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("checks_left", sa.Float),
    sa.Column("left_at", sa.Float),
    sqlite_with_rowid=False,
)

# An alarm as it is kept: engine.alerts.lifecycle.
alerts = sa.Table(
    "alerts",
    ALERTS.metadata,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("subject", sa.Text, primary_key=True),
    sa.Column("id", sa.Text),
    *(sa.Column(name, sa.Float) for name in ("since", "seen_at", "judged_at")),
    *(sa.Column(name, sa.Text) for name in ("mark", "message", "advice")),
    sa.Column("is_told", sa.Integer),
    *(sa.Column(name, sa.Float) for name in ("over_at", "quiet_until")),
    sa.Column("times", sa.Integer),
    sqlite_with_rowid=False,
)

# What waits to be sent by a channel: engine.alerts.alert.
outbox = sa.Table(
    "outbox",
    ALERTS.metadata,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("channel", sa.Text),
    sa.Column("tries", sa.Integer),
    sa.Column("next_at", sa.Float),
    *(sa.Column(name, sa.Text) for name in ("id", "status", "kind", "subject")),
    *(sa.Column(name, sa.Float) for name in ("since", "until")),
    *(sa.Column(name, sa.Text) for name in ("message", "advice")),
    sa.Column("times", sa.Integer),
    sqlite_autoincrement=True,
)

tokens = sa.Table(
    "tokens",
    RECRAWL.metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("digest", sa.LargeBinary),  # of the token, which is kept nowhere
    sa.Column("sites", sa.Text),  # JSON array
    sa.Column("per_hour", sa.Integer),
    *(sa.Column(name, sa.Float) for name in ("made_at", "used_at", "urls_left", "left_at")),
    sqlite_with_rowid=False,
)

recrawls = sa.Table(
    "requests",
    RECRAWL.metadata,
    sa.Column("number", _NUMBER, primary_key=True),
    sa.Column("id", sa.Text, unique=True),
    sa.Column("token", sa.Text),  # its name
    sa.Column("kind", sa.Text),
    sa.Column("url", sa.Text),
    sa.Column("at", sa.Float),
)

# What the owner of a host complains about: engine.complaints.complaint.
complaints = sa.Table(
    "complaints",
    COMPLAINTS.metadata,
    sa.Column("number", _NUMBER, primary_key=True),
    *(sa.Column(name, sa.Text) for name in ("host", "text", "contact")),
    sa.Column("at", sa.Float),
    sa.Column("pauses", sa.Boolean),
    sa.Column("answer", sa.Text),
    sa.Column("closed_at", sa.Float),
    sqlite_autoincrement=True,
)
_OPEN = complaints.c.closed_at.is_(None)
sa.Index("complaints_open", complaints.c.host, sqlite_where=_OPEN, postgresql_where=_OPEN)

viewer_sessions = sa.Table(
    "sessions",
    VIEWERS.metadata,
    sa.Column("id_hash", sa.LargeBinary, primary_key=True),
    sa.Column("ends_at", sa.Float),
    sa.Column("member", sa.Text),
    sa.Column("member_of", sa.Text),  # JSON array
    sqlite_with_rowid=False,
)

paused_hosts = sa.Table(
    "paused_hosts",
    PAUSES.metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("at", sa.Float),
)
