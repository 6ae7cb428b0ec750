"""What becomes of the captures of an archive: each row one URL, all imported at once."""

import itertools
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.archive import Imported, ImportOptions, import_archives, importing
from engine.archive.import_walk import ImportWalk
from engine.config import AudienceConfig, Config, ServerConfig, SiteConfig
from engine.errors import EngineError
from engine.model import Visit
from engine.store import Store
from engine.warc import NAMES_DUPLICATES
from tests.engine.archive.captures import EARLIER, LATER, ROWS, A, B, Row, html, of
from tests.warcs import AT, info, record, response, write


class Imports(NamedTuple):
    """A data folder, and what was said of the import."""

    config: Config
    done: Imported
    archive: Path


def run(config: Config, files: Sequence[Path], **options: float) -> Imported:
    return import_archives(config, files, ImportOptions(**options), lambda what, at, pages: None)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def imports(tmp_path_factory: pytest.TempPathFactory) -> Imports:
    folder = tmp_path_factory.mktemp("import")
    config = Config(folder / "data")
    archive = write(folder / "all.warc.gz", *(record for row in ROWS for record in row.records))
    return Imports(config, run(config, [archive]), archive)


def state_of(config: Config, url: str) -> tuple[str, str, str, float | None]:
    """State, reason and title of a URL, and when it was visited; nothing for one that is not known."""
    store = Store(config.database)
    seen = {change.url: change.page for change in store.changes(0, 500)}
    store.close()
    with sqlite3.connect(config.data_dir / "crawl.db") as database:
        row = database.execute("SELECT state, reason, visited_at FROM urls WHERE url = ?", (url,)).fetchone()
    page = seen.get(url)
    return (row[0], row[1], page.title if page else "", row[2]) if row else ("", "", "", None)


@pytest.mark.parametrize("row", ROWS, ids=[row.why for row in ROWS])
def test_what_becomes_of_a_capture(imports: Imports, row: Row) -> None:
    state, reason, title, _ = state_of(imports.config, row.url)
    assert state == row.state, row.why
    assert (title or reason).startswith(row.words), row.why


def test_the_day_of_a_page_is_that_of_its_capture(imports: Imports) -> None:
    assert state_of(imports.config, f"{A}/plain")[3] == AT
    assert state_of(imports.config, f"{A}/digest")[3] == AT  # of the revisit


def test_nothing_waits_to_be_fetched(imports: Imports) -> None:
    with sqlite3.connect(imports.config.data_dir / "crawl.db") as database:
        assert database.execute("SELECT count(*) FROM urls WHERE state = 'queued'").fetchone() == (0,)


def test_what_was_left_out_is_counted(imports: Imports) -> None:
    skipped = imports.done.skipped
    expected = {"other answers than 200": 2, "types that are not read": 1, "no usable URL": 1}
    assert {why: skipped[why] for why in expected} == expected
    assert skipped["revisits of what is not there"] == 1
    assert skipped["damaged body"] == 2  # URLs of which no capture can be read


def test_a_second_import_changes_nothing(imports: Imports) -> None:
    store = Store(imports.config.database)
    before = store.last_change()
    assert run(imports.config, [imports.archive]).pages == 0
    assert store.last_change() == before
    store.close()


def test_no_file_of_its_own_is_left(imports: Imports) -> None:
    assert list(imports.config.data_dir.glob("import.*")) == [imports.config.data_dir / "import.lock"]


def test_one_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imports: Imports
) -> None:
    """It ends with what an import has that nobody stopped."""
    config, commits = Config(tmp_path / "data"), itertools.count()
    monkeypatch.setattr(importing, "BATCH", 7)
    commit = ImportWalk.commit

    def commit_twice(walk: ImportWalk, visits: Sequence[Visit]) -> list[Visit]:
        if next(commits) == 2:
            raise OSError("the disk is away")
        return commit(walk, visits)

    with monkeypatch.context() as patched:
        patched.setattr(ImportWalk, "commit", commit_twice)
        with pytest.raises(OSError, match="the disk is away"):
            run(config, [imports.archive])
    assert 0 < count_urls(config) < count_urls(imports.config)
    run(config, [imports.archive])
    assert [state_of(config, row.url) for row in ROWS] == [state_of(imports.config, row.url) for row in ROWS]


def count_urls(config: Config) -> int:
    with sqlite3.connect(config.data_dir / "crawl.db") as database:
        return int(database.execute("SELECT count(*) FROM urls").fetchone()[0])


def test_a_file_as_common_crawl_has_it(tmp_path: Path) -> None:
    """Bodies are unpacked and joined, headers say so with X-Crawl- before them; long ones are cut."""
    crawled = response(html("Crawled"), X_Crawl_Content_Encoding="gzip", X_Crawl_Transfer_Encoding="chunked")
    long = response(html("Long") + b"<p>more" * 1_000, content_length="99999")
    archive = write(
        tmp_path / "CC-MAIN-20260102030405-20260102060405-00000.warc.gz",
        record("", b"isPartOf: CC-MAIN-2026-01\r\n", "warcinfo", Content_Type="application/warc-fields"),
        *(
            part
            for path, block, more in (("/", crawled, {}), ("/long", long, {"WARC_Truncated": "length"}))
            for part in (
                record(f"{B}{path}", b"GET / HTTP/1.1\r\n\r\n", "request"),
                record(f"{B}{path}", block, more={"WARC_Identified_Payload_Type": "text/html", **more}),
                record(
                    f"{B}{path}", b"fetchTimeMs: 5\r\n", "metadata", Content_Type="application/warc-fields"
                ),
            )
        ),
    )
    config = Config(tmp_path / "data")
    assert run(config, [archive]).pages == 2
    assert [state_of(config, f"{B}{path}")[2] for path in ("/", "/long")] == ["Crawled", "Long"]


def test_captures_up_to_a_day(tmp_path: Path) -> None:
    records = (record for row in ROWS if row.url.endswith("/versions") for record in row.records)
    archive, config = write(tmp_path / "x.warc.gz", *records), Config(tmp_path / "data")
    assert run(config, [archive], until=AT + 1).pages == 1
    assert state_of(config, f"{A}/versions")[2] == "Middle"
    assert run(config, [archive]).pages == 1
    assert state_of(config, f"{A}/versions")[2] == "New"  # an older import stands in no newer one's way


def test_a_newer_visit_stays(tmp_path: Path) -> None:
    config = Config(tmp_path / "data")
    newer = write(tmp_path / "1.warc.gz", of("/x", response(html("Newer")), date=LATER))
    older = write(tmp_path / "2.warc.gz", of("/x", response(html("Older"))))
    assert [run(config, [file]).pages for file in (newer, older)] == [1, 0]
    assert state_of(config, f"{A}/x")[2] == "Newer"


def test_ones_own_archive(tmp_path: Path) -> None:
    """robots.txt and noindex do not count; what is a secret still is one."""
    names = ("robots.txt", "private/x", "meta", "header", "secret")
    records = (record for row in ROWS if row.url.removeprefix(f"{A}/") in names for record in row.records)
    archive, config = write(tmp_path / "x.warc.gz", *records), Config(tmp_path / "data")
    assert run(config, [archive], own=True).pages == 3
    assert state_of(config, f"{A}/secret")[0] == "skipped"


NAMED = [
    ("/first", None, "a", ("stored", "stored", "stored"), "the first of its text"),
    ("/same", None, "a", ("alias duplicate", "alias duplicate", "stored"), "not named a copy where all are"),
    (
        "/other",
        "/first",
        "b",
        ("stored", "alias near-duplicate", "alias near-duplicate"),
        "what is named counts",
    ),
    ("/third", "/first", "a", ("alias duplicate",) * 3, "an equal text"),
    ("/lost", "/never", "a", ("alias duplicate",) * 3, "the page that is named is not there"),
    ("/alone", "/never", "c", ("stored",) * 3, "nor is one that it is like"),
    ("/bad", "no URL", "d", ("stored",) * 3, "what is named is no URL"),
    ("/itself", "/itself", "f", ("stored",) * 3, "its own copy"),
    ("/later", None, "e", ("stored",) * 3, "a page when it was written first"),
    ("/later", "/first", "e", ("stored", "alias near-duplicate", "alias near-duplicate"), "a copy since"),
]


@pytest.mark.parametrize("way", range(3), ids=["another's archive", "one's own", "one's own that names all"])
def test_copies_that_are_named(tmp_path: Path, way: int) -> None:
    """Only of one's own archive: whose page a copy is, is nobody else's to say."""
    records = [info(*[NAMES_DUPLICATES] * (way == 2))]
    for path, original, text, *_ in NAMED:
        more = {"Duplicate-Of": original if " " in original else f"{A}{original}"} if original else {}
        records.append(of(path, response(html(f"Text {text}")), more=more))
    config = Config(tmp_path / "data")
    run(config, [write(tmp_path / "x.warc.gz", *records)], own=way > 0)
    for path, _, _, expected, why in {row[0]: row for row in NAMED}.values():
        assert " ".join(state_of(config, f"{A}{path}")[:2]).strip() == expected[way], (path, why)


def test_copies_of_what_is_stored_already(tmp_path: Path) -> None:
    """A page of an earlier import stands for its copies; one that names itself stays what it was."""
    config, itself = Config(tmp_path / "data"), {"Duplicate-Of": f"{A}/itself"}
    before = [of(f"/{name}", response(html(name)), date=EARLIER) for name in ("first", "itself")]
    copy = of("/other", response(html("other")), more={"Duplicate-Of": f"{A}/first"})
    after = [copy, of("/itself", response(html("itself")), more=itself)]
    for number, records in enumerate((before, after)):
        run(config, [write(tmp_path / f"{number}.warc.gz", *records)], own=True)
    assert state_of(config, f"{A}/other")[:2] == ("alias", "near-duplicate")
    assert [state_of(config, f"{A}/{name}")[0] for name in ("first", "itself")] == ["stored", "stored"]


ROBOTS_OF_DAYS = [
    ([(EARLIER, b"User-agent: *\nDisallow: /x")], "disallowed", "before the page"),
    ([(LATER, b"User-agent: *\nDisallow: /x")], "disallowed", "after it, and none before"),
    ([(EARLIER, b""), (LATER, b"User-agent: *\nDisallow: /x")], "stored", "the last before it counts"),
    ([(EARLIER, b"User-agent: Lycosa\nDisallow: /x")], "disallowed", "our own name"),
    ([(EARLIER, b"User-agent: *\nContent-Signal: search=no")], "noindex", "no search"),
]


@pytest.mark.parametrize(("files", "state", "why"), ROBOTS_OF_DAYS, ids=[why for *_, why in ROBOTS_OF_DAYS])
def test_the_robots_txt_of_the_day(
    tmp_path: Path, files: list[tuple[str, bytes]], state: str, why: str
) -> None:
    robots = [of("/robots.txt", response(body, content_type="text/plain"), date=date) for date, body in files]
    archive = write(tmp_path / "x.warc.gz", of("/x", response(html("X"))), *robots)
    config = Config(tmp_path / "data")
    run(config, [archive])
    assert state_of(config, f"{A}/x")[0] == state, why


@pytest.mark.parametrize(
    ("make", "says"),
    [(lambda path: path.write_bytes(b"<html>"), "is no WARC file"), (lambda path: None, "No such file")],
)
def test_nothing_is_imported_where_a_file_is_none(
    tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    good, bad = write(tmp_path / "good.warc.gz", record()), tmp_path / "bad.warc.gz"
    make(bad)
    with pytest.raises((EngineError, OSError), match=says):
        run(Config(tmp_path / "data"), [good, bad])
    assert state_of(Config(tmp_path / "data"), "http://a.test/")[0] == ""


def test_equal_pages_of_other_readers_are_all_imported(tmp_path: Path) -> None:
    """None is the copy of one that others may not see; of the same readers they are one, as ever."""
    audiences = (AudienceConfig("staff", frozenset({"ada"})),)
    staff = SiteConfig(("http://staff.example/", "http://desk.example/"), audience="staff")
    config = Config(tmp_path / "data", sites=(staff,), server=ServerConfig(audiences=audiences))
    text = "The heron stands in the reeds and waits for the fish that come by in the evening."
    urls = [f"http://{name}.example/a" for name in ("www", "staff", "desk")]
    named = {"Duplicate-Of": urls[0]}  # from a time when all might see all
    records = [record(url, response(html(text)), more=named) for url in urls]
    run(config, [write(tmp_path / "all.warc.gz", *records)], own=True)
    assert [state_of(config, url)[0] for url in urls] == ["stored", "stored", "alias"]
