"""What a database on a server promises besides what every crawl database does."""

import threading
from contextlib import closing

import pytest
import sqlalchemy as sa

from engine.database import changes, hosts, log_change, open_database, urls, write_alone, write_transaction
from engine.database.opening import purge_deleted
from engine.errors import EngineError
from engine.model import State
from engine.store import Store, load_run, record_heartbeat, start_run
from tests.postgresql import Server

pytestmark = pytest.mark.postgresql
WRITERS, EACH = 4, 40


def test_who_follows_the_numbers_misses_none(database_url: str) -> None:
    """Once a number was seen, no smaller one comes: not of a transaction that began before, either."""
    engine = open_database(database_url)

    def write(writer: int) -> None:
        for number in range(EACH):
            with write_transaction(engine) as connection:
                connection.execute(
                    log_change(), [{"url": f"http://{writer}.example/{number}/{n}"} for n in (1, 2)]
                )
                connection.exec_driver_sql(f"SELECT pg_sleep({(writer * 7 + number) % 5 / 1000})")

    writers = [threading.Thread(target=write, args=[writer]) for writer in range(WRITERS)]
    for thread in writers:
        thread.start()
    seen = list[int]()
    while any(thread.is_alive() for thread in writers) or len(seen) < WRITERS * EACH * 2:
        with engine.connect() as connection:
            query = sa.select(changes.c.seq).where(changes.c.seq > (seen[-1] if seen else 0))
            seen += connection.execute(query.order_by(changes.c.seq)).scalars()
        if not any(thread.is_alive() for thread in writers):
            break
    for thread in writers:
        thread.join()
    with engine.connect() as connection:
        query = sa.select(changes.c.seq).where(changes.c.seq > (seen[-1] if seen else 0))
        seen += connection.execute(query.order_by(changes.c.seq)).scalars()
        everything = connection.execute(sa.select(changes.c.seq).order_by(changes.c.seq)).scalars().all()
    assert seen == everything
    assert len(seen) == WRITERS * EACH * 2
    engine.dispose()


def test_a_text_with_a_zero_is_stored(database_url: str) -> None:
    """PostgreSQL has no U+0000; a server's header may."""
    with closing(Store(database_url)) as store:
        with write_transaction(store.engine) as connection:
            host = sa.insert(hosts).values(host="http://h.example").returning(hosts.c.id)
            row = {"url": "http://h.example/", "state": State.QUEUED, "found_at": 0.0, "etag": 'a\0"b\0'}
            number = connection.execute(host).scalar_one()
            connection.execute(sa.insert(urls), [{**row, "host_id": number}])
        with store.engine.connect() as connection:
            assert connection.execute(sa.select(urls.c.etag)).scalar_one() == 'a\ufffd"b\ufffd'


@pytest.mark.parametrize(
    ("statement", "says", "why"),
    [
        ("CREATE TABLE theirs (id int)", "has tables of another program", "somebody else's"),
        (
            "CREATE TABLE schema_version (number int); INSERT INTO schema_version VALUES (99)",
            "was written by a newer Lycosa",
            "a later one has migrated it",
        ),
    ],
)
def test_a_database_that_is_not_for_us(
    postgresql_server: Server, database_url: str, statement: str, says: str, why: str
) -> None:
    postgresql_server.execute(statement, database_url.rpartition("/")[2])
    for _ in range(2):
        with pytest.raises(EngineError, match=says) as failed:
            open_database(database_url)
        assert "\n" not in str(failed.value), why


def test_a_database_that_cannot_hold_every_text(postgresql_server: Server) -> None:
    postgresql_server.execute(
        "CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
    )
    with pytest.raises(EngineError, match="has the encoding SQL_ASCII: make it by createdb --encoding=UTF8"):
        open_database(postgresql_server.url("ascii"))


@pytest.mark.parametrize(
    ("url", "says", "why"),
    [
        ("postgresql://postgres@127.0.0.1:1/x", "Connection refused; is the server up", "no server"),
        ("{}/nowhere", '"nowhere" does not exist; is the server up', "no database"),
    ],
)
def test_a_server_that_cannot_be_used(postgresql_server: Server, url: str, says: str, why: str) -> None:
    with pytest.raises(EngineError, match=says) as failed:
        open_database(url.format(postgresql_server.url("").rstrip("/")))
    assert "\n" not in str(failed.value), why


def test_texts_are_ordered_by_code_points(postgresql_server: Server) -> None:
    """Whatever the language of the server: what is removed below a prefix is all of it, and nothing else."""
    postgresql_server.execute(
        "CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
    )
    paths = ["B", "a", "a/\U0010fffe", "b"]  # in English: a, b, B
    with closing(Store(postgresql_server.url("english"))) as store:
        with write_transaction(store.engine) as connection:
            connection.execute(log_change(), [{"url": path} for path in paths])
        query, url = sa.select(changes.c.url).order_by(changes.c.url), changes.c.url
        with store.engine.connect() as connection:
            assert list(connection.execute(query).scalars()) == paths
            below = query.where(url.between("a", "a\U0010ffff"))
            assert list(connection.execute(below).scalars()) == paths[1:3]


def test_another_makes_the_tables_after_the_first_look(database_url: str) -> None:
    """A database that was found empty is not another program's when it has tables a moment later."""
    asked = list[str]()

    def look(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)
        if len(asked) == 1:  # what the other asks counts, too
            open_database(database_url).dispose()

    sa.event.listen(sa.Engine, "after_cursor_execute", look)
    try:
        open_database(database_url).dispose()
    finally:
        sa.event.remove(sa.Engine, "after_cursor_execute", look)
    assert any("CREATE TABLE" in one for one in asked)


def test_a_sign_of_life_waits_for_nobody(database_url: str) -> None:
    """Else a long transaction of another run would cost all others their leases."""
    engine = open_database(database_url, busy_seconds=1)
    with write_transaction(engine) as other:
        run = start_run(other, "crawl", 0.0)
    with write_transaction(engine):
        with write_alone(engine) as connection:
            record_heartbeat(connection, run, 7.0, {})
        with engine.connect() as connection:
            assert load_run(connection, run).beat_at == 7.0
    engine.dispose()


def test_two_that_open_an_empty_database_at_once(database_url: str) -> None:
    """One makes the tables, the other waits."""
    failures = list[Exception]()

    def open_it() -> None:
        try:
            open_database(database_url).dispose()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_what_is_deleted_is_vacuumed(database_url: str) -> None:
    with closing(Store(database_url)) as store:
        with write_transaction(store.engine) as connection:
            # The server's own would come in the way, or do it in our place.
            connection.exec_driver_sql("ALTER TABLE changes SET (autovacuum_enabled = off)")
            connection.execute(log_change(), [{"url": f"http://h.example/{n}"} for n in range(1_000)])
        with write_transaction(store.engine) as connection:
            connection.execute(sa.delete(changes))
        purge_deleted(store.engine)
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT pg_relation_size('changes')").scalar_one() == 0


def test_a_database_of_schema_14_migrates(database_url: str) -> None:
    """Its index of forced URLs was one of all URLs, written to with each of them."""
    indexed = sa.text("SELECT indexdef FROM pg_indexes WHERE indexname = 'urls_forced'")
    engine = open_database(database_url)
    with engine.begin() as connection:
        new = connection.execute(indexed).scalar_one()
        connection.exec_driver_sql("DROP INDEX urls_forced")
        connection.exec_driver_sql("CREATE INDEX urls_forced ON urls (id)")
        connection.exec_driver_sql("UPDATE schema_version SET number = 14")
    engine.dispose()
    engine = open_database(database_url)
    with engine.connect() as connection:
        assert connection.execute(indexed).scalar_one() == new
        assert "WHERE (reason = 'forced'::text)" in new
    engine.dispose()
