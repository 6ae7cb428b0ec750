"""`scrapy robots`: the verdict, the line that decides, and why."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.commands.robots import Command
from engine.database import hosts, open_database
from engine.packing.packing import pack_robots
from engine.report.ruling import MAX_LISTED
from engine.report.wording import MAX_VISIBLE, escape_text
from engine.robots import MAX_ROBOTS_BYTES, RobotsResponse, interpret_response
from tests.conftest import ROOT
from tests.running import command, crawl, here, scrapy
from tests.web.scripted import Answer as Sent
from tests.web.scripted import html, scripted_web

THEN = 1_777_000_000.0  # 2026-04-24T03:06:40 UTC
HOST = "https://a.example"
RULES = b"""User-agent: *
Disallow: /a/
Crawl-delay: 7
Sitemap: https://a.example/map.xml
Disallow /b
"""
# One named robot may do everything, one nothing, all others not everything.
THREE_RECORDS = """# the robots.txt of webcrawler.com, from the guide for owners
User-agent: webcrawler
Disallow:

User-agent: lycra
Disallow: /

User-agent: *
Disallow: /tmp
Disallow: /logs  # for nobody
"""


def run(folder: Path, *words: str) -> int:
    """The command in this process; its exit code."""
    return here(Command(), folder, *words)


def by_file(folder: Path, body: str | bytes, url: str, *words: str) -> int:
    """The exit code for a file of these rules."""
    path = folder / "robots.txt"
    path.write_bytes(body.encode() if isinstance(body, str) else body)
    return run(folder, url, "--file", str(path), *words)


def known(folder: Path, answer: RobotsResponse) -> None:
    """The data folder of a crawl that got this answer."""
    database = open_database(folder)
    with database.begin() as connection:
        row = {"host": HOST, "robots": pack_robots(interpret_response(answer, THEN))}
        connection.execute(hosts.insert(), row)
    database.dispose()


@pytest.mark.requirement(277, 313, 314, 315)
@pytest.mark.parametrize(
    ("body", "url", "agent", "code", "why"),
    [
        ("", "/any", "Lycosa", 0, "requirement 313: an empty file allows everything"),
        ("\n\n# nothing\n", "/any", "Lycosa", 0, "requirement 313: so do comments alone"),
        ("Please do not index my site.\n", "/any", "Lycosa", 0, "requirement 314: prose is no rule"),
        ("<html><body>Not found: /</body></html>", "/", "Lycosa", 0, "requirement 314: nor is HTML"),
        ("User-agent: *\nDisallow: /\n", "/", "Lycosa", 1, "requirement 315: all excluded"),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", "Lycosa", 0, "robots.txt itself never is"),
        (THREE_RECORDS, "/logs/1", "webcrawler", 0, "requirement 315: the named one may"),
        (THREE_RECORDS, "/index.html", "lycra", 1, "requirement 315: the other named one may not"),
        (THREE_RECORDS, "/index.html", "Lycosa", 0, "requirement 315: all others may"),
        (THREE_RECORDS, "/logs.html", "Lycosa", 1, "requirement 315: but for two paths"),
        (THREE_RECORDS, "/tmp/x", "Lycosa", 1, "requirement 315: but for two paths"),
        ("User-agent: Lycosa\nDisallow: /\n", "/", "Lycosa", 1, "requirement 277: the sample of /robot"),
    ],
)
def test_verdicts(tmp_path: Path, body: str, url: str, agent: str, code: int, why: str) -> None:
    assert by_file(tmp_path, body, f"https://www.example.org{url}", "--agent", agent) == code, why


@pytest.mark.requirement(317)
def test_what_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The decision and the line that makes it, the verdict first."""
    assert by_file(tmp_path, RULES, f"{HOST}/a/b") == 1
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert next(iter(lines)) == "disallowed"
    assert lines["disallowed"] == f"{HOST}/a/b"
    assert lines["robot"] == "Lycosa"
    assert lines["line"].split(maxsplit=1) == ["2", "Disallow: /a/"]
    assert lines["group"] == "*"
    assert lines["crawl"] == "delay   7 s"
    assert lines["sitemap"] == "https://a.example/map.xml"
    assert lines["warning"].startswith("line 5: ")
    assert "fetched" not in lines


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("Request-rate: 1/5", "request rate  1 in 5 s\n"),
        ("Request-rate: 5/1m 0200-2259", "request rate  5 in 60 s, 02:00-22:59 UTC\n"),
        ("Visit-time: 2230-0445", "visit time    22:30-04:45 UTC\n"),
        ("Crawl-delay: 2.5", "crawl delay   2.5 s\n"),
        ("Content-Signal: search=no", "index         no (Content-Signal: search=no)\n"),
    ],
)
def test_what_else_the_owner_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], field: str, says: str
) -> None:
    assert by_file(tmp_path, f"User-agent: *\n{field}\nDisallow: /a\n", HOST + "/") == 0
    assert says in capsys.readouterr().out


@pytest.mark.requirement(120)
@pytest.mark.parametrize(
    ("answer", "code", "says"),
    [
        (
            RobotsResponse(200, body=RULES),
            1,
            ["disallowed    https://a.example/a/", "line 2", "HTTP 200", "7 s"],
        ),
        (
            RobotsResponse(404),
            0,
            ["allowed       https://a.example/a/", "HTTP 404", "answered 404: allow all"],
        ),
        (RobotsResponse(403), 1, ["disallowed", "HTTP 403", "answered 403: disallow all"]),
        (RobotsResponse(503), 1, ["disallowed", "HTTP 503", "answered 503: defer"]),
        (RobotsResponse(None), 1, ["disallowed", ", no answer", "gave no answer: defer"]),
    ],
)
def test_what_the_data_folder_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: RobotsResponse, code: int, says: list[str]
) -> None:
    """With the time of the last fetch."""
    known(tmp_path, answer)
    assert run(tmp_path, f"{HOST}/a/") == code
    said = capsys.readouterr().out
    assert all(
        one in said for one in (*says, "fetched       2026-04-24T03:06:40+00:00", "expires       2026-")
    )


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known(tmp_path, RobotsResponse(200, body=RULES))
    assert run(tmp_path, f"{HOST}/a/", "--json") == 1
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    warnings = said.pop("warnings")
    assert [set(warning) for warning in warnings] == [{"line", "text"}]
    assert said == {
        "url": f"{HOST}/a/",
        "agent": "Lycosa",
        "allowed": False,
        "reason": "of the matching rules, this one decides",
        "rule": "Disallow: /a/",
        "line": 2,
        "group": ["*"],
        "crawl_delay": 7.0,
        "request_rates": [],
        "visit_times": [],
        "indexable": True,
        "sitemaps": ["https://a.example/map.xml"],
        "robots_txt": {
            "verdict": "obey",
            "status": 200,
            "fetched_at": "2026-04-24T03:06:40+00:00",
            "expires_at": "2026-04-25T03:06:40+00:00",
        },
    }


def test_the_profile_changes_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The draft of 1996 takes the first rule that matches, RFC 9309 the longest."""
    body = "User-agent: *\nDisallow: /a\nAllow: /a/b\n"
    assert by_file(tmp_path, body, f"{HOST}/a/b") == 0
    assert by_file(tmp_path, body, f"{HOST}/a/b", "--profile", "v1") == 1
    known(tmp_path, RobotsResponse(200, body=body.encode()))
    assert run(tmp_path, f"{HOST}/a/b", "--profile", "v1") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((f"{HOST}/a",), f"of {HOST} was never fetched: fetch it now with --refresh {HOST}, or decide by"),
        (("www.example.org/a",), "of https://www.example.org was never fetched"),
        (("http://[/",), "'http://[/': "),
        (("ftp://a.example/",), "no http(s) URL; write the whole address"),
        ((f"{HOST}/a", "--file", "no-such-file"), "cannot read no-such-file: No such file or directory"),
        ((f"{HOST}/a", "--file", "."), "cannot read .: Is a directory"),
        ((f"{HOST}/a", "--profile", "v9"), "--profile: unknown 'v9'; write one of v0, v1, v2, rfc9309"),
    ],
)
def test_misuse_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert run(tmp_path, *words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


def test_a_handful_of_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert by_file(tmp_path, "User-agent: *\n" + 20 * "Disallow /a\n", HOST + "/a") == 1
    said = capsys.readouterr().out
    assert said.count("warning ") == MAX_LISTED + 1
    assert "more\n" in said


def test_a_file_larger_than_is_ever_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b"User-agent: *\nDisallow: /a\n" + MAX_ROBOTS_BYTES * b"#" + b"\nDisallow: /b\n"
    assert by_file(tmp_path, body, f"{HOST}/b") == 0
    assert by_file(tmp_path, body, f"{HOST}/a") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "shown", "why"),
    [
        ("Disallow: /Straße", "Disallow: /Straße", "letters are letters"),
        ("\x1b[2J\x07", "\\x1b[2J\\x07", "an order to the terminal"),
        ("\u202e", "\\u202e", "would turn the line round"),
        ("\0\ud800\t", "\\x00\\ud800\\t", "has no shape"),
        (MAX_VISIBLE * "x" + "y", MAX_VISIBLE * "x" + "…", "longer than anybody reads"),
    ],
)
def test_texts_of_strangers_are_made_visible(text: str, shown: str, why: str) -> None:
    assert escape_text(text) == shown, why


@given(body=st.binary(max_size=300), agent=st.text(max_size=9), url=st.text(max_size=30))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_junk_breaks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: bytes, agent: str, url: str
) -> None:
    assert by_file(tmp_path, body, f"{HOST}/{url}", f"--agent={agent}") in (0, 1, 2)
    out, err = capsys.readouterr()
    assert out.replace("\n", "").isprintable()
    assert bool(out) is not bool(err)


@pytest.mark.slow
def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The exit code, the example, and a file that comes through a pipe; no data folder is made for it."""
    words = ("robots", f"{HOST}/a/", "--file", "-", "--profile", "v1")
    data = tmp_path / "data"
    done = subprocess.run(command(data, *words), cwd=ROOT, input=RULES, capture_output=True, timeout=100)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(b"disallowed ")
    assert not data.exists()
    assert not (ROOT / "v1").exists(), "Scrapy's own --profile writes a file"
    assert "Example: scrapy robots " in " ".join(scrapy(data, "robots", "--help").stdout.split())


@pytest.mark.slow
@pytest.mark.requirement(68, 120)
def test_after_a_crawl(tmp_path: Path) -> None:
    """From with robots.txt and page alike; then the host is known."""
    robots = Sent(200, "User-agent: lycosa\nDisallow: /private/")
    with scripted_web({"/robots.txt": robots, "/": html("Start", "<p>avocet</p>")}) as site:
        (tmp_path / "crawl.toml").write_text('contact = "owner@crawl.example"', encoding="utf-8")
        crawl(tmp_path, site.url("/"))
        assert {"/robots.txt", "/"} <= set(site.paths)
        assert {request.headers["from"] for request in site.log} == {"owner@crawl.example"}
        assert {request.headers["user-agent"].partition("/")[0] for request in site.log} == {"Lycosa"}
        assert "line 2" in scrapy(tmp_path, "robots", site.url("/private/"), code=1).stdout
        assert "HTTP 200" in scrapy(tmp_path, "robots", site.url("/")).stdout
