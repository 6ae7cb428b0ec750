"""`scrapy explain URL`: one record of all that is known, and why a URL is or is not in the index."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.commands.explain import Command
from engine.index.indexing.follow import Follower
from engine.robots import Directives
from engine.search import search
from engine.store.page_store import Store
from engine.url import MAX_URL_LENGTH
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.running import here

LINKS = ["/a", "/hidden", "/moved", "/secret", "/gone", "/broken", "/far", "/odd\x1b[31m"]
ROBOTS = b"User-agent: *\nDisallow: /secret\n"
SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://h.example/a</loc>
<lastmod>2020-01-02T03:04:05Z</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url></urlset>
"""


def explain_url(folder: Path, *words: str) -> int:
    """The command in this process; its exit code."""
    return here(Command(), folder, *words)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a crawl that met everything, and of the index that followed it."""
    folder = tmp_path_factory.mktemp("crawled")
    answers: dict[str, int | list[str]] = {
        f"{HOST}/": [f"{HOST}{path}" for path in LINKS],
        f"{HOST}/a": [f"{HOST}/b"],
        f"{HOST}/b": [f"{HOST}/a", "http://elsewhere.example/"],
        f"{HOST}/hidden": [f"{HOST}/below"],
        f"{HOST}/below": [],
        f"{HOST}/moved": 301,
        f"{HOST}/gone": 410,
        f"{HOST}/broken": 500,
        f"{HOST}/far": 302,
    }
    moves = {
        f"{HOST}/moved": [("location", "/a")],
        f"{HOST}/far": [("location", "http://elsewhere.example/")],
    }
    said: dict[str, dict[str, object]] = {f"{HOST}/hidden": {"directives": Directives(index=False)}}
    maps = {f"{HOST}/sitemap.xml": SITEMAP}
    clock = Clock(time.time() - 60)
    web = Web(answers, moves, {HOST: (200, ROBOTS)}, maps, said, seconds=0.01)
    crawl = crawl_of(folder, clock, profile="brisk", own=True)
    run(crawl, web, clock)
    crawl.store.close()
    store = Store(folder)
    Follower(store, folder).catch_up()
    store.close()
    (folder / "crawl.toml").write_text(f"[[site]]\nseeds = ['{HOST}/']\nown = true\nexclude = '/b$'")
    return folder


def record(folder: Path, capsys: pytest.CaptureFixture[str], url: str, code: int = 0) -> dict[str, Any]:
    assert explain_url(folder, url, "--json") == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.requirement(309)
@pytest.mark.parametrize(
    ("path", "state", "indexed", "meaning", "why"),
    [
        ("/", "stored", True, "its page is stored", "requirement 309: a seed"),
        ("/a", "stored", True, "its page is stored", "requirement 309: a page"),
        ("/hidden", "noindex", False, "asks not to index it: noindex", "requirement 309: META"),
        ("/below", "stored", True, "its page is stored", "found on a page that is not indexed"),
        (
            "/moved",
            "alias",
            False,
            "another URL represents it: permanent redirect",
            "requirement 309: another represents it",
        ),
        ("/secret", "disallowed", False, "allow Lycosa to fetch it: robots.txt", "requirement 309: robots"),
        ("/gone", "gone", False, "reports that it does not exist: http 410", "requirement 309: gone"),
        ("/broken", "failed", False, "no usable response came: http 500", "requirement 309: its host"),
        ("/far", "skipped", False, "excludes it: redirect out of scope", "requirement 309: a rule"),
        ("/none", "unknown", False, "no crawl has found it", "requirement 309: never found"),
    ],
)
def test_what_became_of_it(
    crawled: Path,
    capsys: pytest.CaptureFixture[str],
    path: str,
    state: str,
    indexed: bool,
    meaning: str,
    why: str,
) -> None:
    one = record(crawled, capsys, HOST + path, code=int(state == "unknown"))
    assert (one["state"], one["indexed"]) == (state, indexed), why
    assert one["meaning"].endswith(meaning), why


@pytest.mark.requirement(10)
def test_three_decisions_on_one_page(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """NOINDEX,FOLLOW: visited, not indexed, and parsed for the URL that it led to."""
    one = record(crawled, capsys, f"{HOST}/hidden")
    assert one["known"]["visited_at"]
    assert (one["known"]["status"], one["indexed"], one["known"]["discovered"]) == (200, False, 1)
    below = record(crawled, capsys, f"{HOST}/below")
    assert below["known"]["found_on"] == f"{HOST}/hidden"


@pytest.mark.requirement(16)
def test_where_it_was_found(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = record(crawled, capsys, f"{HOST}/b")
    assert (one["known"]["depth"], one["known"]["found_on"]) == (2, f"{HOST}/a")


def test_who_links_to_it(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = record(crawled, capsys, f"{HOST}/a")
    assert one["inlinks"] == {"pages": 2, "voters": 1}
    assert sorted(link["url"] for link in one["linked_from"]) == [f"{HOST}/", f"{HOST}/b"]
    assert {link["anchor"] for link in one["linked_from"]} == {f"{HOST}/a"}
    assert one["aliases"] == [f"{HOST}/moved"]
    assert record(crawled, capsys, f"{HOST}/moved")["known"]["alias_of"] == f"{HOST}/a"


@pytest.mark.requirement(38)
@pytest.mark.parametrize(
    ("url", "rule", "why"),
    [
        (f"{HOST}/a", "", "nothing of ours is against it"),
        ("http://elsewhere.example/", "scope", "requirement 38: a link that leaves the site"),
        (f"{HOST}/b", "exclude", "requirement 38: the operator's pattern"),
        (f"{HOST}/x.zip", "file type", "requirement 38: a type we do not read"),
        (f"{HOST}{'/x' * 9}", "repeat", "requirement 38: a symlink loop"),
        (f"{HOST}/cgi-bin/x", "cgi", "requirement 38: a program"),
        (f"{HOST}/logout", "side-effect", "requirement 38: a button"),
        (f"{HOST}/{'x' * MAX_URL_LENGTH}", "length", "requirement 38: too long"),
    ],
)
def test_the_rule_against_it(
    crawled: Path, capsys: pytest.CaptureFixture[str], url: str, rule: str, why: str
) -> None:
    code = 0 if url in (f"{HOST}/a", f"{HOST}/b") else 1
    assert record(crawled, capsys, url, code)["rule"] == rule, why


def test_an_unknown_url_may_have_links_all_the_same(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = record(crawled, capsys, "http://elsewhere.example/", code=1)
    assert (one["known"], one["inlinks"]["pages"], one["rule"]) == (None, 1, "scope")
    assert one["robots"] == {"allowed": None, "reason": "never fetched"}


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/a", "when its owner expects a change"),
        ("/hidden", "in the next crawl that starts with an empty queue"),
        ("/none", "none"),
    ],
)
def test_when_it_is_visited_again(
    crawled: Path, capsys: pytest.CaptureFixture[str], path: str, says: str
) -> None:
    assert record(crawled, capsys, HOST + path, int(path == "/none"))["next_visit"].endswith(says)


@pytest.mark.requirement(309)
def test_for_people(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If and when it was visited, and why not; the state first."""
    assert explain_url(crawled, f"{HOST}/a") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"stored        {HOST}/a\n")
    for line in (
        "in the index  yes\n",
        f", depth 1, on {HOST}/",
        ", HTTP 200\n",
        f"represents    {HOST}/moved\n",
        "linked from   pages: 2, voters: 1\n",
        f"              {HOST}/b '{HOST}/a'\n",
        "sitemap       changed 2020-01-02T03:04:05+00:00, every 75,600 s, priority 0.8\n",
        "robots.txt    allowed: robots.txt: no rule\n",
        "crawl rules   none excludes it\n",
    ):
        assert line in shown, shown
    assert explain_url(crawled, f"{HOST}/secret") == 0
    assert "robots.txt    disallowed: robots.txt, line 2: Disallow: /secret\n" in capsys.readouterr().out
    assert explain_url(crawled, f"{HOST}/broken") == 0
    assert "HTTP 500, 3 failures in a row\n" in capsys.readouterr().out
    assert explain_url(crawled, f"{HOST}/sitemap.xml") == 0
    assert "depth -2, by robots.txt\n" in capsys.readouterr().out


def test_a_folder_that_nothing_was_crawled_into(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_url(tmp_path, "www.example.org/") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "unknown       https://www.example.org/"


@pytest.mark.parametrize(
    ("words", "says"),
    [(("ftp://a.example/",), "no http(s) URL; write the whole address"), (("http://[/",), "'http://[/': ")],
)
def test_misuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert explain_url(tmp_path, *words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


def test_an_index_that_cannot_be_opened(
    crawled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that a commit takes away are tried again; in the end it is one sentence."""

    def missing(*_: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(search, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr("engine.explain.explanation.find_linking_pages", missing)
    assert explain_url(crawled, f"{HOST}/a") == 2
    assert "cannot be opened: run scrapy rebuild" in capsys.readouterr().err


@given(typed=st.text(max_size=40))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_junk_breaks_it(crawled: Path, capsys: pytest.CaptureFixture[str], typed: str) -> None:
    assert explain_url(crawled, f"{HOST}/{typed}") in (0, 1, 2)
    out, err = capsys.readouterr()
    assert out.replace("\n", "").isprintable()
    assert bool(out) is not bool(err)


@pytest.mark.requirement(309)
def test_why_it_stands_where_it_does(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same numbers for programs and for people, for the query as it was typed."""
    with closing(search.SearchService(crawled)) as searching:
        hits = searching.search("http").hits
    assert [hit.url for hit in hits if hit.url.endswith("/a")]
    for place, hit in enumerate(hits, 1):
        explain_url(crawled, hit.url, "--query", "http", "--json")
        rank = json.loads(capsys.readouterr().out)["rank"]
        assert (rank["rank"], rank["score"]) == (place, pytest.approx(hit.score, abs=1e-3))
        explain_url(crawled, hit.url, "--query", "http")
        said = capsys.readouterr().out
        assert f"For 'http': place {place} of {len(hits)}, score {hit.score:.3f}" in said
        assert f"{hit.score:>10.3f}  together" in said


@pytest.mark.requirement(309)
@pytest.mark.parametrize(
    ("path", "query", "code", "says", "why"),
    [
        ("/a", "nowhere", 0, "For 'nowhere': not found: lacks nowhere", "requirement 309: not a hit"),
        ("/hidden", "http", 0, "its owner asks not to index it", "requirement 309: not in the index"),
        ("/none", "http", 1, "no crawl has found it", "requirement 309: not known at all"),
        ("/a", "a\x1b[31m", 0, "For 'a\\x1b[31m'", "what is typed may hold orders to a terminal"),
    ],
)
def test_what_is_not_a_hit(
    crawled: Path, capsys: pytest.CaptureFixture[str], path: str, query: str, code: int, says: str, why: str
) -> None:
    assert explain_url(crawled, HOST + path, "--query", query) == code
    assert says in capsys.readouterr().out, why
    found = record(crawled, capsys, HOST + path, code)
    assert "rank" not in found, why


def test_there_may_be_no_index_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_url(tmp_path, f"{HOST}/", "--query", "http", "--json") == 1
    assert json.loads(capsys.readouterr().out)["rank"] is None
