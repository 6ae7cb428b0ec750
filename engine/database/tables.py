"""Defines the crawl database's tables."""

import sqlalchemy as sa

SCHEMA_VERSION = 13  # goes up with each revision in engine/database/migrations/versions
NEAR = ("near_1", "near_2", "near_3", "near_4", "near_5", "near_6")

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
