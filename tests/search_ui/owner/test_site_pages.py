"""What an owner sees of the own host, and that it is nothing else."""

from contextlib import closing
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.config import Config
from engine.database import OWNERS, urls, write_side
from engine.model import State
from engine.opensearch.errors import UnavailableError
from engine.ownership.mark import make_value
from engine.ownership.proofs import PROOF_SECONDS, begin_owner_session, drop_proof, save_proof
from engine.ownership.site_report import MAX_LISTED
from engine.store import Store
from tests.crawling import HOST
from tests.search_ui.admin.conftest import make_app
from tests.search_ui.owner.conftest import Owner, main_text
from tests.search_ui.owner.full_site import HOSTILE, KEY, OTHER, fill
from tests.search_ui.pages.test_search_pages import texts

SHOWN = ("", "/errors", "/links", "/titles", "/skipped")
TABS = (*SHOWN, "/removals", "/complaint")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return fill(tmp_path_factory.mktemp("site") / "data")


@pytest.fixture(scope="module")
def inside(filled: Config) -> Owner:
    owner = Owner(make_app(filled), host=HOST, key=KEY)
    assert owner.prove().status_code == 303, "it has shown the value before"
    return owner


def shown(owner: Owner, tab: str = "") -> str:
    answer = owner.get(f"{owner.path}{tab}")
    assert answer.status_code == 200
    return main_text(answer)


def cells(owner: Owner, tab: str) -> list[list[str]]:
    """The texts of all tables, row by row."""
    rows = LexborHTMLParser(owner.get(f"{owner.path}{tab}").text).css("tbody tr")
    return [[cell.text().strip() for cell in row.css("th, td")] for row in rows]


@pytest.mark.requirement(120, 311)
def test_the_overview(inside: Owner) -> None:
    said = shown(inside)
    assert "Pages stored 3" in said
    assert "Requests in the last crawl 43 Errors among them 3" in said
    assert "Seconds between requests, by robots.txt 7" in said
    assert "its host reports that it does not exist 2" in said
    assert "The server answered with status 200. Lycosa follows its rules." in said
    rules = texts(inside.get(inside.path).text, ".file li")
    assert rules[:2] == ["User-agent: *", "Disallow: /private/"]
    assert len(texts(inside.get(inside.path).text, "time")) == 3, (
        "robots.txt, the last page, the last request"
    )


def test_errors(inside: Owner) -> None:
    rows = cells(inside, "/errors")
    assert [row[0] for row in rows] == [
        *("404", "500"),
        *(f"{HOST}/{name}" for name in ("gone", "broken", "private/a")),
    ]
    assert rows[2][3] == f"{HOST}/", "where it was found first"


def test_broken_links(inside: Owner) -> None:
    assert cells(inside, "/links") == [
        [f"{HOST}/", f"{HOST}/gone"],
        [f"{HOST}/", f"{HOST}/private/a"],
        [f"{HOST}/one", f"{HOST}/gone"],
        [f"{HOST}/two", f"{HOST}/gone"],
    ]


def test_broken_links_while_the_cluster_is_away(inside: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise UnavailableError("no node answers")

    monkeypatch.setattr("search_ui.owner.site_pages.undamaged_generation", refuse)
    answer = inside.get(f"{inside.path}/links")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "The servers that keep the index are away" in main_text(answer)


@pytest.mark.requirement(318)
def test_titles(inside: Owner) -> None:
    said = shown(inside, "/titles")
    assert "HTML pages that were looked at: 3" in said
    assert f"Pages without a description (3) {HOST}/ {HOST}/one {HOST}/two" in said


def test_what_was_skipped(inside: Owner) -> None:
    assert cells(inside, "/skipped")[:4] == [
        ["query", "2"],
        ["scope", "1"],
        [f"{HOST}/b", "query"],
        [f"{HOST}/a", "query"],
    ]


@pytest.mark.parametrize("tab", TABS)
def test_nothing_of_other_hosts(inside: Owner, tab: str) -> None:
    """Neither what they have nor how they are, although they link here and we link there."""
    page = inside.get(f"{inside.path}{tab}").text
    assert OTHER not in page
    assert "9,999" not in page


@pytest.mark.parametrize("tab", TABS)
def test_markup_of_strangers_is_text(inside: Owner, tab: str) -> None:
    page = inside.get(f"{inside.path}{tab}")
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("tab", TABS)
def test_who_has_no_session_of_this_host_sees_nothing(filled: Config, tab: str) -> None:
    stranger, other = Owner(make_app(filled), host=HOST), Owner(make_app(filled), host=OTHER)
    with write_side(filled.data_dir, OWNERS) as connection:
        save_proof(connection, OTHER, make_value(OTHER, KEY), 4_000_000_000.0)
    other.key = KEY
    assert other.prove().status_code == 303
    assert other.get(f"{other.path}{tab}").status_code == 200
    for nobody in (stranger, other):
        answer = nobody.get(f"{stranger.path}{tab}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/owner")
        assert not answer.text
    for path in ("/owner/http/never.example", "/owner/https/h.example", "/owner/x/%22%3E"):
        assert other.get(f"{path}{tab}").status_code == 303


@pytest.mark.parametrize("tab", SHOWN)
def test_a_page_that_only_shows_takes_no_form(inside: Owner, tab: str) -> None:
    assert inside.post(f"{inside.path}{tab}", {}).status_code == 405


def test_a_lost_proof_and_an_old_one_show_nothing(tmp_path: Path) -> None:
    config = fill(tmp_path / "data")
    owner, value = Owner(make_app(config), host=HOST, key=KEY), make_value(HOST, KEY)
    owner.prove()
    with write_side(config.data_dir, OWNERS) as connection:
        drop_proof(connection, HOST, value)
    assert owner.get(owner.path).status_code == 303
    with write_side(config.data_dir, OWNERS) as connection:
        save_proof(connection, HOST, value, 0.0)
        old = begin_owner_session(connection, HOST, value, "", PROOF_SECONDS)
    owner.cookies.set("lycosa-owner", old, domain="127.0.0.1", path="/")
    assert owner.get(owner.path).status_code == 303


@pytest.mark.slow
@pytest.mark.requirement(290)
def test_a_host_of_very_many_errors(tmp_path: Path) -> None:
    """What is in memory and on the page has its limits, whatever there is."""
    config = fill(tmp_path / "data")
    with closing(Store(config.data_dir)) as store, store.engine.begin() as connection:
        number = connection.execute(urls.select().where(urls.c.url == f"{HOST}/")).one().host_id
        rows = (
            {
                "url": f"{HOST}/{many:06}{HOSTILE if many % 1_000 == 0 else ''}",
                "host_id": number,
                "state": State.FAILED,
                "found_at": 0.0,
                "status": 400 + many % 200,
                "reason": f"reason {many % 5_000}",
            }
            for many in range(100_000)
        )
        connection.execute(urls.insert(), list(rows))
    owner = Owner(make_app(config), host=HOST, key=KEY)
    owner.prove()
    for tab in TABS:
        page = owner.get(f"{owner.path}{tab}")
        assert page.status_code == 200
        assert len(page.content) < 150_000
    errors = owner.get(f"{owner.path}/errors")
    assert len(texts(errors.text, "tbody tr")) == 2 * MAX_LISTED
    assert "The first 100 of 100,003" in main_text(errors)
    assert "<script>alert" not in errors.text
