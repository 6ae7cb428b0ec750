"""Defines the crawl database's tables."""

from typing import Any

import sqlalchemy as sa

SCHEMA_VERSION = 18  # goes up with each revision in engine/database/migrations/versions
NEAR = ("near_1", "near_2", "near_3", "near_4", "near_5", "near_6")

metadata = sa.MetaData()

# Ids fit into 64 bits everywhere; SQLite numbers rows by itself only where the type is INTEGER.
_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _partial_index(name: str, *columns: Any, where: sa.ColumnElement[Any]) -> None:
    """Defines an index of the rows for which a condition holds."""
    sa.Index(name, *columns, sqlite_where=where, postgresql_where=where)


hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("host", sa.Text, nullable=False, unique=True),  # scheme://name[:port]
    sa.Column("robots", sa.LargeBinary),  # the last answer to /robots.txt: engine.packing
    sa.Column("rechecked", _ID),  # the last of its URLs judged by new rules; None: all were
    sa.Column("refreshed", sa.Boolean),  # by `scrapy robots --refresh`, for a running crawl to take up
    sa.Column("lease", _ID),  # the run that alone may ask it
    sa.Column("place", sa.Integer),  # the bucket of its address: engine.frontier.host_share
    sa.Column("ready_at", sa.Float),  # not to be asked before, by what the run before has learned
    sa.Column("rest_until", sa.Float),  # it asked not to be asked before (RFC 9110, 10.2.3)
    sa.Column("called", sa.Boolean),  # somebody has queued URLs of it and has not its lease
    sa.Column("machine", sa.Text),  # at which it answered last, where that is public: engine.linkgraph
    sa.Column("domain", sa.Text),  # registrable: engine.frontier.domains
    sa.Column("twin", sa.Text),  # the host that represents it: engine.store.twins
    sa.Column("round", _ID),  # the last in which all that is known of it was due (engine.crawl.run)
    # What it shows, with status 200, where there is no page; None: nothing, or not known.
    sa.Column("soft_shape", sa.LargeBinary),
    sa.Column("soft_page", sa.Text),  # where it sends who asks for one
    sa.Column("soft_at", sa.Float),
)
_partial_index("hosts_rechecked", hosts.c.id, where=hosts.c.rechecked.is_not(None))
sa.Index("hosts_of_domain", hosts.c.domain)
_partial_index("hosts_refreshed", hosts.c.id, where=hosts.c.refreshed)
_partial_index("hosts_called", hosts.c.id, where=hosts.c.called)
_partial_index("hosts_twins", hosts.c.id, where=hosts.c.twin.is_not(None))
_partial_index("hosts_leased", hosts.c.lease, where=hosts.c.lease.is_not(None))

urls = sa.Table(
    "urls",
    metadata,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sa.Column("host_id", _ID, sa.ForeignKey("hosts.id"), nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False, default=0),
    sa.Column("hops", sa.Integer, nullable=False, default=0),
    sa.Column("parent_id", _ID),  # where it was found first (requirement 16)
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
    sa.Column("kind", sa.Text, nullable=False, server_default="page"),  # or sitemap, feed
    sa.Column("listed", sa.Boolean),  # a sitemap of its host names it
    sa.Column("priority", sa.Float, nullable=False, server_default="0.5"),  # by a sitemap, 0 to 1
    sa.Column("modified_at", sa.Float),  # by a sitemap
    sa.Column("every", sa.Float),  # seconds between changes, by a sitemap
    sa.Column("published_at", sa.Float),  # by a feed
    sa.Column("due_at", sa.Float),  # not to be visited before
    sa.Column("may_stand", sa.Boolean),  # of a copy: in place of the page that stands: engine.linkgraph
    sa.Column("rest", sa.Float),  # seconds between visits, as learned: engine.store.revisit
    sa.Column("turn", _ID, nullable=False, default=0, server_default="0"),  # the round it waits in
)
# What failed waits for the others. What was queued by hand (turn 0) goes first, then what earlier rounds have
# left: so no host's line is ever so long that its oldest do not come. Sitemaps have depths below zero.
WAITING = (urls.c.fails, urls.c.turn, urls.c.depth, urls.c.priority.desc(), urls.c.id)
sa.Index("urls_of_host", urls.c.host_id)  # for what concerns all of a host: new rules, the next crawl
_partial_index("urls_aliases", urls.c.alias_of, where=urls.c.alias_of.is_not(None))
_partial_index("urls_missing", urls.c.missing_since, where=urls.c.missing_since.is_not(None))
_partial_index("urls_forced", urls.c.id, where=urls.c.reason == "forced")  # engine.store.wanted
_partial_index("urls_feeds", urls.c.parent_id, where=urls.c.kind == "feed")  # engine.store.feeds
# The frontier: only what waits is in this index, in the order in which it is asked.
# Who asks for it says so in these words: of a parameter a server does not know that it is this state.
QUEUED = urls.c.state == sa.literal_column("'queued'")
_partial_index("urls_in_turn", urls.c.host_id, *WAITING, where=QUEUED)
# Seeds that have moved, looked for at each change of another run: a crawl may have as many seeds as hosts.
MOVED_SEED = (urls.c.depth == sa.literal_column("0")) & (urls.c.state == sa.literal_column("'alias'"))
_partial_index("urls_moved_seeds", urls.c.id, where=MOVED_SEED)


def _page_columns() -> list[sa.Column[Any]]:
    """Defines the columns of a page, the same in both tables that have some."""
    return [
        sa.Column("url_id", _ID, sa.ForeignKey("urls.id"), primary_key=True),
        sa.Column("fetched_at", sa.Float, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),  # engine.packing
        sa.Column("expires_at", sa.Float),  # unavailable_after: the page leaves then
        sa.Column("flag", sa.Text),  # why it says nothing: engine.model.page.Flag
        # Near duplicates share one of these keys (engine.text.duplicates); they go where the page goes.
        *(sa.Column(name, sa.BigInteger) for name in NEAR),
    ]


pages = sa.Table("pages", metadata, *_page_columns())
sa.Index("ix_pages_fingerprint", pages.c.fingerprint)
_partial_index("pages_flagged", pages.c.flag, where=pages.c.flag.is_not(None))
for _name in NEAR:
    _partial_index(f"pages_{_name}", pages.c[_name], where=pages.c[_name].is_not(None))
_partial_index("pages_that_expire", pages.c.expires_at, where=pages.c.expires_at.is_not(None))

# Of each copy that may stand what it has itself: the page that it is once it does (engine.store.election).
copies = sa.Table("copies", metadata, *_page_columns())

# What the index has to follow: one row a URL, with a new number at each change.
changes = sa.Table(
    "changes",
    metadata,
    sa.Column("seq", _ID, primary_key=True),
    sa.Column("url", sa.Text, nullable=False, unique=True),
    sqlite_autoincrement=True,
)

# What was removed, with the receipt of each removal; nothing is ever deleted here (requirement 50).
blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),  # URL, host, prefix
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("contact", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("undone_at", sa.Float),
)
_partial_index("blocks_undone", blocks.c.undone_at, where=blocks.c.undone_at.is_not(None))

# Suspected crawler traps (engine.store.suspects); the operator judges them.
suspects = sa.Table(
    "suspects",
    metadata,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("rule", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # of the target, as in blocks
    sa.Column("target", sa.Text, nullable=False),  # what accepting blocks
    sa.Column("example", sa.Text, nullable=False),
    sa.Column("times", sa.Integer, nullable=False),  # in the last run that saw it
    sa.Column("run", _ID, nullable=False),
    sa.Column("first_at", sa.Float, nullable=False),
    sa.Column("last_at", sa.Float, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),  # accepted, dismissed, '' while it waits for that
    sa.UniqueConstraint("host", "rule", "target"),
)

# Pages on which secrets stand (engine.store.quarantine); what the secrets are is kept nowhere.
quarantine = sa.Table(
    "quarantine",
    metadata,
    sa.Column("id", _ID, primary_key=True),
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
    sa.Column("id", _ID, primary_key=True),
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
    sa.Column("id", _ID, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),  # crawl, rebuild
    sa.Column("started_at", sa.Float, nullable=False),
    sa.Column("beat_at", sa.Float, nullable=False),  # last sign of life
    sa.Column("ended_at", sa.Float),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("counters", sa.Text, nullable=False, default="{}"),  # JSON object
    sa.Column("examples", sa.Text),  # JSON object: a URL that was left for each rule that left some
    sa.Column("idle", sa.Boolean),  # has nothing to do unless another run calls for one of its hosts
    sa.Column("round", _ID),  # the run with which the round began that this one is a part of
    sa.Column("sites", sa.Text),  # what it crawls: a digest, equal for runs that may share the work
)
_partial_index("runs_alive", runs.c.id, where=runs.c.ended_at.is_(None))

# A UUID of the database: an index notes by it what it follows (engine.database.identity).
identity = sa.Table("identity", metadata, sa.Column("uuid", sa.Text, primary_key=True))

# SQLite does not look whether these rows are there; a server would, at every insert.
for _table in metadata.tables.values():
    for _constraint in _table.foreign_key_constraints:
        _constraint.ddl_if(dialect="sqlite")
