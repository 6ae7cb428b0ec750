"""A crawl database on a PostgreSQL server with so many known URLs, as a stopped crawl leaves it.

The rows are those of benchmarks.corpora.filled, a hundred URLs a host. The server makes them itself: sent one
by one, ten million would take an hour.
"""

import sqlalchemy as sa

from benchmarks.corpora.filled import EPOCH, FRESH, NAVIGATION, TOGETHER, URLS_OF_HOST, VISITED, host
from engine.database import hosts, is_empty, open_database, runs, write_transaction
from engine.errors import EngineError
from engine.frontier.domains import domain_of
from engine.frontier.host_share import place_by_address
from engine.packing import pack_robots
from engine.robots import RobotsState, Verdict

RUN = 1  # that was stopped: whoever comes goes on with it, and nothing is due once more
HOSTS_AT_ONCE = 5_000  # rows that are sent together
_RULES = "User-agent: *\nDisallow: /private/\nDisallow: /search?\nCrawl-delay: 2\n"
# The `start`th to the `stop`th URL of each host, side by side as one page brings them.
_URLS = sa.text(f"""
    INSERT INTO urls (id, url, host_id, state, depth, hops, parent_id, found_at, visited_at, status, reason,
        fails, etag, last_modified, bytes, turn)
    SELECT id, host || '/docs/section-' || lpad((n % 40)::text, 2, '0') || '/page-' || lpad(n::text, 7, '0')
            || '.html', host_id,
        CASE WHEN done THEN 'stored' ELSE 'queued' END,
        CASE WHEN n = 0 THEN 0 WHEN n < {NAVIGATION} THEN 1 ELSE 2 + n / 200 END, 0,
        1 + (host_id - 1) * first, {EPOCH}, CASE WHEN done THEN {EPOCH} END, CASE WHEN done THEN 200 END, '',
        0, CASE WHEN done THEN '"1"' ELSE '' END, '', 0, {RUN}
    FROM (
        SELECT host_id, host, n, first, id, id / {TOGETHER} % {VISITED} = 0 AS done
        FROM (
            SELECT hosts.id AS host_id, host, n, first,
                start * total + (hosts.id - 1) * (stop - start) + n - start + 1 AS id
            FROM hosts, (
                SELECT CAST(:start AS bigint) AS start, CAST(:stop AS bigint) AS stop,
                    CAST(:total AS bigint) AS total, CAST(:first AS bigint) AS first
            ) AS block, generate_series(start, stop - 1) AS n
        ) AS numbered
        ORDER BY id
    ) AS ordered
""")


def hosts_of(known: int) -> int:
    """Over how many hosts so many URLs are spread."""
    return max(1, known // URLS_OF_HOST)


def address_of(number: int) -> str:
    """The address at which a host answers, alone."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def fill_server(location: str, known: int, sites: str) -> None:
    """Fills the database; `sites` is the digest of those that the stopped run crawled.

    Raises EngineError where it is not empty.
    """
    engine = open_database(location)
    try:
        with write_transaction(engine) as connection:
            if not is_empty(connection):
                raise EngineError(f"{location} is not empty: make a database for this alone with createdb")
            _insert_hosts(connection, hosts_of(known))
            _insert_urls(connection, hosts_of(known), known // hosts_of(known))
            stopped = {"ended_at": EPOCH, "reason": "shutdown", "sites": sites, "round": RUN}
            row = {"id": RUN, "kind": "crawl", "started_at": EPOCH, "beat_at": EPOCH, **stopped}
            connection.execute(sa.insert(runs), row)
            for name in ("hosts", "urls", "runs"):
                last = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
                connection.exec_driver_sql(last)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    finally:
        engine.dispose()


def _insert_hosts(connection: sa.Connection, number: int) -> None:
    """All have been met: their robots.txt and their addresses are known."""
    for start in range(0, number, HOSTS_AT_ONCE):
        connection.execute(
            sa.insert(hosts), [_host(one) for one in range(start, min(start + HOSTS_AT_ONCE, number))]
        )


def _host(number: int) -> dict[str, object]:
    return {
        "id": number + 1,
        "host": host(number),
        "domain": domain_of(host(number)),
        "robots": pack_robots(_robots(number)),
        "place": place_by_address(address_of(number)),
        "machine": address_of(number),
        "round": RUN,
    }


def _insert_urls(connection: sa.Connection, number: int, each: int) -> None:
    for start in range(0, each, TOGETHER):
        stop = min(start + TOGETHER, each)
        row = {"start": start, "stop": stop, "total": number, "first": min(TOGETHER, each)}
        connection.execute(_URLS, row)


def _robots(number: int) -> RobotsState:
    """A robots.txt of ten to sixty lines."""
    lines = "".join(f"Disallow: /tmp/{n}/{number}/\n" for n in range(7 + number % 50))
    return RobotsState(Verdict.OBEY, (_RULES + lines).encode(), EPOCH, EPOCH + FRESH, 200)
