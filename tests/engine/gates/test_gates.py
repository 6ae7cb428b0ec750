"""The gates at work: a real crawl database, real indexes, and what an operator reads and does."""

import re
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import generations
from engine.config import RebuildLimits
from engine.database import hosts, pages, urls
from engine.gates.answers import AnswerTest
from engine.gates.gates import RebuildGates
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import RebuildRefused, rebuild_index
from engine.index.indexing.writer import create_index
from engine.model.page import State
from engine.search.search import SearchService
from engine.segment.sections import Sections
from engine.store.blocklist import add_block, parse_target
from engine.store.page_store import Store
from engine.store.removals import drop_expired, drop_forbidden, drop_pages, match_target, purge_urls
from tests.crawling import Clock, Web, crawl_of, run
from tests.engine.gates.damage import DAMAGE, LOST_PAGES, OF_B, A, B, sql
from tests.running import scrapy, status


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight pages of one host, six of another, one of a third; in the database and in the index."""
    folder, clock = tmp_path_factory.mktemp("crawled"), Clock()
    home = {f"{host}/": [f"{host}/{n}" for n in range(1, count)] for host, count in ((A, 8), (B, 6))}
    home["http://c.example/"] = []
    leaves = {url: list[str]() for links in home.values() for url in links}
    crawl = crawl_of(folder, clock, seeds=tuple(home), scope="host")
    run(crawl, Web({**home, **leaves}), clock)
    Follower(crawl.store, folder).catch_up()
    crawl.store.close()
    return folder


@pytest.fixture
def data(crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own; few queries are timed, as each takes its time."""
    monkeypatch.setattr("engine.gates.answers.TIMED", 3)
    data = Path(shutil.copytree(crawled, tmp_path / "data"))
    with closing(Store(data)) as store:
        Follower(store, data).catch_up()  # where the index is not in the folder, there is none yet
    return data


def indexed(data: Path) -> int:
    with closing(SearchService(data)) as search:
        return search.count_documents()


@pytest.mark.parametrize(("damage", "says", "why"), DAMAGE, ids=[why for *_, why in DAMAGE])
def test_a_rebuild_that_would_lose_a_host_is_refused(
    data: Path, damage: list[str], says: str, why: str
) -> None:
    old = generations.current_generation(data)
    sql(data, *damage)
    done = scrapy(data, "rebuild", code=1)
    assert says in done.stderr, why
    assert "http://c.example" not in done.stderr, why
    assert "scrapy rebuild --force" in done.stderr
    assert generations.current_generation(data) == old
    assert indexed(data) == 15


def removed(connection: sa.Connection) -> None:
    target = parse_target(B)
    add_block(connection, target, "its owner asked", "", 0.0)
    purge_urls(connection, match_target(target))


def forgotten_after_removal(connection: sa.Connection) -> None:
    """As by `fresh=1`."""
    removed(connection)
    connection.execute(sa.delete(urls).where(urls.c.url.startswith(B)))


def disallowed(connection: sa.Connection) -> None:
    host = connection.execute(sa.select(hosts.c.id).where(hosts.c.host == B)).scalar_one()
    drop_forbidden(connection, host, lambda url: State.DISALLOWED)


def answered_410(connection: sa.Connection) -> None:
    connection.execute(sa.update(urls).values(depth=1))
    numbers = connection.execute(sa.select(urls.c.id).where(urls.c.url.startswith(B))).scalars().all()
    drop_pages(connection, numbers, "gone", lambda url: False)


def unavailable_after(connection: sa.Connection) -> None:
    of_b = sa.select(urls.c.id).where(urls.c.url.startswith(B))
    connection.execute(sa.update(pages).where(pages.c.url_id.in_(of_b)).values(expires_at=1.0))
    drop_expired(connection, 2.0)


@pytest.mark.parametrize(
    "leave", [removed, forgotten_after_removal, disallowed, answered_410, unavailable_after]
)
def test_a_host_that_left_by_somebodys_word_is_no_loss(
    data: Path, leave: Callable[[sa.Connection], None]
) -> None:
    """The old index does not know it yet: nobody followed."""
    store = Store(data)
    with store.engine.begin() as connection:
        leave(connection)
    store.close()
    assert " published" in scrapy(data, "rebuild").stdout
    assert indexed(data) == 9


def test_what_was_refused_is_published_by_force_without_building_again(data: Path) -> None:
    sql(data, LOST_PAGES)
    scrapy(data, "rebuild", code=1)
    assert "was refused, the one before it stays in use: " in (told := scrapy(data, "status").stdout)
    sql(data, LOST_PAGES.replace("b.example", "a.example"))  # no change is written: only a new index loses it
    done = scrapy(data, "rebuild", "--force")
    reason = f": hosts lost documents (20 % may be missing: max_host_lost_percent in [rebuild]): {B} "
    assert (f"refused{reason}" in told, f"overridden{reason}" in done.stderr) == (True, True)
    assert " published" in done.stdout
    assert indexed(data) == 9, "as it was built when it was refused"
    assert status(data)["refused_rebuild"] is None


def test_by_force_what_came_since_is_in_it(data: Path) -> None:
    sql(data, LOST_PAGES)
    scrapy(data, "rebuild", code=1)
    scrapy(data, "remove", "c.example", "--reason", "its owner asked")
    scrapy(data, "rebuild", "--force")
    assert indexed(data) == 8


def test_the_next_rebuild_begins_anew(data: Path) -> None:
    sql(data, "CREATE TABLE kept AS SELECT * FROM changes", f"DELETE FROM changes {OF_B}")
    scrapy(data, "rebuild", code=1)
    sql(data, "DELETE FROM changes", "INSERT INTO changes SELECT * FROM kept")
    scrapy(data, "rebuild")
    assert indexed(data) == 15
    assert generations.refused_generation(data) is None


def test_force_without_anything_refused(data: Path) -> None:
    sql(data, LOST_PAGES)
    assert "overridden" in scrapy(data, "rebuild", "--force").stderr
    assert indexed(data) == 9
    done = scrapy(data, "rebuild", "--force")
    assert (done.stderr, done.stdout.split()[1:]) == ("", ["published"])


def test_crawl_toml_says_how_much_may_be_lost(data: Path) -> None:
    some = ", ".join(f"'http://{host}.example/{page}'" for host in "ab" for page in range(1, 5))
    sql(data, f"DELETE FROM pages WHERE url_id IN (SELECT id FROM urls WHERE url IN ({some}))")
    (data / "crawl.toml").write_text("[rebuild]\nmax_lost_percent = 10\n", encoding="utf-8")
    said = scrapy(data, "rebuild", code=1).stderr
    assert "holds 7 documents, of the old one's 15 should be left (10 % may be missing" in said
    assert "hosts lost" not in said, "four each"
    (data / "crawl.toml").write_text("[rebuild]\nmax_lost_percent = 60\n", encoding="utf-8")
    scrapy(data, "rebuild")


def _without_contents(index: Path) -> None:
    for path in index.glob("_MAIN_*.toc"):
        path.unlink()


def _with_wrong_postings(index: Path) -> None:
    for path in index.glob("*.arrays"):
        start = Sections(path)._places["documents"][1]
        content = bytearray(path.read_bytes())
        content[start : start + 64] = bytes(64)
        path.write_bytes(content)


@pytest.mark.folder
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(_without_contents, id="no table of contents"),
        pytest.param(_with_wrong_postings, id="a disk that has lost a line of a segment"),
    ],
)
def test_a_rebuild_mends_an_index_that_cannot_be_read(
    data: Path,
    damage: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("engine.search.search.RETRY_SECONDS", 0.0)
    old = generations.current_generation(data)
    assert old
    damage(old.path)
    assert "published" in scrapy(data, "rebuild").stdout
    assert "the old index cannot be read" in caplog.text
    assert indexed(data) == 15


@pytest.mark.folder
def test_an_index_of_an_older_lycosa_is_not_compared_with(
    data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old = generations.current_generation(data)
    assert old
    (old.path / "form").write_text("0", "ascii")
    sql(data, LOST_PAGES)
    assert "published" in scrapy(data, "rebuild").stdout
    assert "made by another version of Lycosa" in caplog.text


@pytest.mark.folder
def test_pages_that_come_while_it_is_counted_are_no_loss(data: Path) -> None:
    """A crawl goes on: what it stores after the new index was complete is not looked for in it."""
    current = generations.current_generation(data)
    assert current
    with closing(Store(data)) as store:
        gates = RebuildGates(store.engine, RebuildLimits(), AnswerTest(), lambda: 0.0)
        assert gates.check_contents(current, current) == []
        current.mark(current.caught_up - 3)
        without = generations.create_draft(data, "without")
        create_index(without)
        without.mark(current.caught_up)
        (refused,) = gates.check_contents(None, without)
    assert sum(map(int, re.findall(r"of (\d+) pages", refused))) == 12


def test_an_index_that_answers_worse_is_refused(data: Path) -> None:
    """By queries.tsv; the loss of documents has its own gate, which is wide open here."""
    (data / "queries.tsv").write_text("text 1\thttp://b.example/1\n", encoding="utf-8")
    (data / "crawl.toml").write_text("[rebuild]\nmax_lost_percent = 100\nmax_host_lost_percent = 100\n")
    scrapy(data, "rebuild")
    sql(data, LOST_PAGES.replace("/%", "/1"))
    said = scrapy(data, "rebuild", code=1).stderr
    assert said.count("refused: ") == 1
    assert "nDCG@10 over queries.tsv falls from " in said
    assert " to 0.000 (by 0.05 it may: max_ndcg_loss in [rebuild])" in said


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("wolf spider\n", "line 1: write a query, a tab, and the URLs of relevant pages"),
        ("a\thttp://a.example/\n\twhat\n", "line 2: write a query, a tab"),
        ("a\t\n", "line 1: write a query, a tab"),
        ("a\tftp://a.example/\n", "line 1: write URLs that can be used: no http(s) URL"),
        ("a\tlibrary/os.html\n", "line 1: write URLs that can be used"),
        ("\n\n", "has no query"),
        ("a\t\xff", "write it in UTF-8"),
    ],
)
def test_judged_queries_that_cannot_be_read(data: Path, written: str, says: str) -> None:
    """Said before anything is built."""
    (data / "queries.tsv").write_bytes(written.encode("latin-1"))
    said = scrapy(data, "rebuild", code=2).stderr
    assert says in said
    assert said.count("\n") == 1


def test_a_slower_index_is_refused(data: Path) -> None:
    """The clock is the test's: each answer of the new one takes three times as long."""
    store, reads = Store(data), iter(range(10**9))
    taken = [0.0]

    def clock() -> float:
        """Old begins and ends, new begins and ends."""
        taken[0] += (0.0, 0.010, 0.0, 0.030)[next(reads) % 4]  # since the reading before
        return taken[0]

    with closing(store):
        with pytest.raises(
            RebuildRefused,
            match=r"a query takes 30.0 ms of processor time in place of 10.0 \(100 % more it may",
        ):
            rebuild_index(store, data, gates=RebuildGates(store.engine, RebuildLimits(), AnswerTest(), clock))
        patient = RebuildLimits(max_slowdown_percent=300)
        rebuild_index(store, data, gates=RebuildGates(store.engine, patient, AnswerTest(), clock))
