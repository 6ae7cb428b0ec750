"""The pages for the owners of sites."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import VERSION
from engine.middleware import find_source_addresses
from engine.middleware.identity import Identity
from engine.model.page import Claim, Purpose
from engine.robots import RobotsTxt
from engine.url import MAX_URL_LENGTH
from search_ui.app import create_app
from search_ui.pages.owner_pages import MAX_FORM_BYTES, MAX_LINES
from tests.running import serving
from tests.search_ui.conftest import IDENTITY, Searcher, Site, answering
from tests.search_ui.pages.test_search_pages import SCRIPT, attribute, first, links, parse, texts

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PAGE = "https://www.example.org/private/diary"
RULES = "User-agent: *\nDisallow: /private/\nAllow: /private/open/\nCrawl-delay: 7\nDisallow /x\n"


def check(site: Site, robots: str, url: str = PAGE, **more: str) -> httpx.Response:
    """The answer to the form as a browser sends it."""
    fields = {"robots": robots.replace("\n", "\r\n"), "url": url, "agent": "Lycosa", **more}
    return site.client.post("/robot/check", content=urlencode(fields, errors="surrogatepass"), headers=FORM)


@pytest.fixture
def robot(request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The pages of another operator."""
    app = create_app(Searcher(), lambda: None, Identity(request.param))
    with answering(app) as client:
        yield client


@pytest.mark.requirement(277, 279, 310)
def test_who_we_are_for_people(site: Site) -> None:
    """Name, how to keep it out, whom to write to."""
    page = site.get("/robot").text
    assert dict(zip(texts(page, ".card dt"), texts(page, ".card dd"), strict=True)) == {
        "Name in robots.txt": "Lycosa",
        "User-Agent": f"Lycosa/{VERSION} (+https://search.example/robot)",
        "From": "owner@crawl.example",
        "Version": VERSION,
        "Operator": "owner@crawl.example",
    }
    assert first(page, "pre").text() == "User-agent: Lycosa\nDisallow: /\n"
    assert attribute(page, ".card a", "href") == "mailto:owner@crawl.example"
    assert "/robot/check" in links(page, "main a")
    assert attribute(page, "meta[name=robots]", "content") == "index, nofollow"


@pytest.mark.requirement(277)
def test_the_page_tells_what_a_record_does(site: Site) -> None:
    """The sample keeps us out, the other one slows us down and forbids nothing."""
    out, slow = (RobotsTxt.parse(node.text().encode()) for node in parse(site.get("/robot").text).css("pre"))
    assert not out.allowed("Lycosa", PAGE)
    assert out.allowed("other", PAGE)
    assert slow.allowed("Lycosa", PAGE)
    assert slow.crawl_delay("Lycosa") == 20
    assert len(slow.visit_times("Lycosa")) == 1


@pytest.mark.requirement(102, 216, 279, 310)
@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("by a password on your server", "requirement 102: robots.txt protects nothing"),
        ("not every robot does", "requirement 216: it is cooperation only"),
        ("Send complaints and questions to", "requirement 279"),
        ("at least every 24 hours", "how soon a change counts"),
        ("It fetches robots.txt before anything else", "requirement 310"),
        ("X-Robots-Tag: noindex", "how to keep one page out"),
        ("rel=nofollow", "what is obeyed"),
        ("Content-Signal: search=no", "what is obeyed"),
        ("an address that cannot exist, lycosa- with 16", "requirement 81: whoever sees one in a log"),
    ],
)
def test_what_an_owner_wants_to_know(site: Site, says: str, why: str) -> None:
    assert says in " ".join(first(site.get("/robot").text, "main").text().split()), why


@pytest.mark.requirement(316)
def test_who_we_are_for_programs(site: Site) -> None:
    """The entry of a list of robots."""
    answer = site.get("/robot.json")
    assert answer.headers["Content-Type"] == "application/json"
    entry = answer.json()
    assert all(isinstance(line, str) for line in entry.pop("obeys"))
    assert entry.pop("purpose").startswith("Lycosa reads pages")
    assert entry.pop("addresses") == [*find_source_addresses()]
    assert entry == {
        "name": "Lycosa",
        "product_token": "Lycosa",
        "version": VERSION,
        "user_agent": IDENTITY.user_agent,
        "contact": "owner@crawl.example",
        "from": "owner@crawl.example",
        "sample": "User-agent: Lycosa\nDisallow: /\n",
        "check": "/robot/check",
    }
    assert site.get(entry["check"]).status_code == 200


@pytest.mark.requirement(67)
def test_the_url_in_our_user_agent_is_answered(site: Site) -> None:
    agent = IDENTITY.headers(Claim(1, PAGE, "https://www.example.org", kind=Purpose.ROBOTS))["User-Agent"]
    url = re.search(r"\(\+(.*)\)", agent)
    assert url
    assert site.get(urlsplit(url[1]).path).status_code == 200


@pytest.mark.requirement(279)
@pytest.mark.parametrize(
    ("robot", "operator", "link", "sender"),
    [
        ("", "The operator gave no contact address.", None, None),
        ("https://b.example/us", "https://b.example/us", "https://b.example/us", None),
        ("call +48 1", "call +48 1", None, None),
        ("a+b&c@d.example", "a+b&c@d.example", "mailto:a+b%26c@d.example", "a+b&c@d.example"),
        ("javascript:alert(1)", "javascript:alert(1)", None, None),
    ],
    indirect=["robot"],
)
def test_what_the_operator_wrote(
    robot: httpx.Client, operator: str, link: str | None, sender: str | None
) -> None:
    """Honestly when there is nobody to write to."""
    page = robot.get("/robot").text
    assert texts(page, ".card dd")[-1] == operator
    assert links(page, ".card a") == ([link] if link else [])
    assert robot.get("/robot.json").json()["from"] == sender
    assert ("gave no contact address. robots.txt works all the same" in page) is (
        sender is None and "gave no" in operator
    )


@pytest.mark.requirement(66, 67, 316)
def test_the_command_serves_what_crawl_toml_says(tmp_path: Path) -> None:
    text = 'contact = "a@b.example"\npublic_url = "https://s.example/"\n'
    (tmp_path / "crawl.toml").write_text(text, encoding="utf-8")
    with serving(tmp_path) as address:
        entry = httpx.get(f"{address}/robot.json", trust_env=False).json()
    assert entry["user_agent"] == f"Lycosa/{VERSION} (+https://s.example/robot)"
    assert entry["contact"] == entry["from"] == "a@b.example"


@pytest.mark.requirement(277)
@pytest.mark.parametrize("target", ["/", "/search?q=a", "/search?q=missing", "/nothing", "/robot"])
def test_every_page_leads_owners_there(site: Site, target: str) -> None:
    assert "/robot" in links(site.get(target).text, "footer a")


@pytest.mark.requirement(313, 314, 315, 317)
@pytest.mark.parametrize(
    ("robots", "url", "agent", "verdict", "line", "why"),
    [
        (RULES, PAGE, "Lycosa", "Not allowed", "Disallow: /private/", "the rule for all"),
        (RULES, "https://a.example/private/open/x", "", "Allowed", "Allow: /private/open/", "the longest"),
        (RULES, "https://a.example/", "Lycosa", "Allowed", "", "nothing matches"),
        ("", PAGE, "Lycosa", "Allowed", "", "requirement 313: an empty file"),
        ("<html><p>Nothing here</p></html>", PAGE, "Lycosa", "Allowed", "", "requirement 314: HTML"),
        ("Robots may come on Mondays", PAGE, "Lycosa", "Allowed", "", "requirement 314: prose"),
        ("User-agent: *\nDisallow: /", PAGE, "Some Bot/1.0", "Not allowed", "Disallow: /", "requirement 315"),
        ("\n\nUser-agent: a\nDisallow: /p", PAGE, "a", "Not allowed", "Disallow: /p", "blank lines count"),
    ],
)
def test_the_checker(
    site: Site, robots: str, url: str, agent: str, verdict: str, line: str, why: str
) -> None:
    """Decision and matching line."""
    page = check(site, robots, url, agent=agent).text
    assert texts(page, "#verdict") == [verdict], why
    assert texts(page, ".file mark") == ([line] if line else []), why
    number = robots.split("\n").index(line) + 1 if line else 0
    assert (f"Line {number} decides" in page) is bool(line), why
    assert texts(page, ".file li") == [" ".join(one.split()) for one in robots.removesuffix("\n").split("\n")]


@pytest.mark.requirement(317)
def test_what_else_the_checker_says(site: Site) -> None:
    """The group, the delay, the line that is odd; and the form again as it was filled in."""
    page = check(site, RULES).text
    said = " ".join(first(page, ".verdict").text().split())
    assert f"Lycosa may not fetch {PAGE}" in said
    assert "The group is the one for *." in said
    assert "Seconds between two requests: 7 (Crawl-delay)." in said
    assert any(odd.startswith("Line 5: ") for odd in texts(page, "h2 + ul li"))
    assert first(page, "textarea").text() == RULES
    assert attribute(page, "#url", "value") == PAGE
    assert attribute(page, "#agent", "value") == "Lycosa"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_form_waits_to_be_filled_in(site: Site, method: str) -> None:
    answer = site.get("/robot/check", method)
    assert answer.status_code == 200
    if method == "GET":
        assert attribute(answer.text, "form.check", "method") == "post"
        assert attribute(answer.text, "#agent", "value") == "Lycosa"
        assert not parse(answer.text).css("#verdict")


@pytest.mark.parametrize("url", ["", "www.example.org", "ftp://a.example/", "https://", "/private/", SCRIPT])
def test_an_address_that_is_none(site: Site, url: str) -> None:
    answer = check(site, RULES, url)
    assert answer.status_code == 400
    assert "Enter the full address" in first(answer.text, "[role=alert]").text()
    assert first(answer.text, "textarea").text() == RULES, "what was pasted is not lost"


def test_what_a_stranger_pastes_stays_text(site: Site) -> None:
    paste = f"User-agent: *\nDisallow: /{SCRIPT}\n</textarea>\0\u202e\ud800\n"
    page = check(site, paste, f"https://a.example/{SCRIPT}", agent=SCRIPT).text
    assert not parse(page).css("script:not([src]), img")
    assert "\0" not in page
    shown = texts(page, ".file li")
    assert shown[1] == f"Disallow: /{SCRIPT}"
    assert shown[2].startswith("</textarea>\\x00\\u202e")
    assert first(page, "textarea").text().startswith(paste[:60])
    assert attribute(page, "#agent", "value") == SCRIPT


def test_only_the_lines_around_the_one_that_decides_are_shown(site: Site) -> None:
    before, after = 2_000 * "# nothing\n", 2_000 * "\n"
    page = check(site, f"User-agent: *\n{before}Disallow: /private/\n{after}").text
    assert "Line 2002 decides" in page
    assert len(parse(page).css(".file li")) == MAX_LINES
    assert (
        int(attribute(page, ".file", "start") or 0) + texts(page, ".file li").index("Disallow: /private/")
        == 2_002
    )
    assert texts(page, ".count") == ["Lines 1,903 to 2,102 of 4,002"]


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"robots": (MAX_FORM_BYTES // 3 - 100) * "%"}, 200, "Allowed"),
        ({"robots": MAX_FORM_BYTES * "x"}, 413, "The form may have at most"),
        ({"url": "https://a.example/" + MAX_URL_LENGTH * "a"}, 413, "A URL or a name may have at most 2,048"),
        (
            {"agent": (MAX_URL_LENGTH + 1) * "a"},
            413,
            "A URL or a name may have at most 2,048 characters here.",
        ),
    ],
)
def test_what_is_too_large(site: Site, fields: dict[str, str], status: int, says: str) -> None:
    body = urlencode({"url": PAGE, **fields})
    answer = site.client.post("/robot/check", content=body, headers=FORM)
    assert answer.status_code == status
    assert says in first(answer.text, "main").text()


def test_what_is_no_form(site: Site) -> None:
    assert site.client.post("/robot/check", content=b"{}").status_code == 415
    assert site.get("/robot/check", "PUT").status_code == 405


@pytest.mark.slow
@given(
    st.binary(max_size=200)
    | st.tuples(st.text(max_size=80), st.text(max_size=30), st.text(max_size=20)).map(
        lambda words: urlencode(
            {"robots": words[0], "url": f"https://a.example/{words[1]}", "agent": words[2]}
        ).encode()
    )
)
@settings(max_examples=80)
def test_nothing_pasted_breaks_the_page(served: Site, body: bytes) -> None:
    answer = served.client.post("/robot/check", content=body, headers=FORM)
    assert answer.status_code in (200, 400)
    assert "\0" not in answer.text


def test_the_pages_keep_the_policy(site: Site) -> None:
    """No inline script and no style; the headers are those of every page."""
    for page in (site.get("/robot"), site.get("/robot/check"), check(site, RULES)):
        assert not re.search(r"<script(?! src=)|<style|\son\w+=|\sstyle=|javascript:", page.text)
        assert page.headers["X-Frame-Options"] == "DENY"
        assert "form-action 'self'" in page.headers["Content-Security-Policy"]
