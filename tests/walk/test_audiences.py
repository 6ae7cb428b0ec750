"""A company's pages, some of which only some may see: from the crawl to every way out of the search page."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import httpx
import pytest

from tests.audiences import AUDIENCES, STAFF
from tests.running import scrapy, serving
from tests.web.scripted import anchors, html, scripted_web

TOML = f"""
public_url = "https://search.example.org"
{AUDIENCES}
[[site]]
seeds = ["{{open}}/"]
own = true
[[site]]
seeds = ["{{staff}}/"]
own = true
audience = "staff"
[[site]]
seeds = ["{{board}}/"]
own = true
audience = "board"
"""
COMMON = "the quarterly report of the heron committee was printed and bound for"
PEOPLE: dict[str, dict[str, str]] = {
    "nobody": {},
    "staff": STAFF,
    "board": {"X-Forwarded-User": "ada"},
    "both": {"X-Forwarded-User": "ada", "X-Forwarded-Groups": "printers,staff"},
}
SEEN = {
    "nobody": {"open"},
    "staff": {"open", "staff"},
    "board": {"open", "board"},
    "both": {"open", "staff", "board"},
}
SECRETS = {"open": "kingfisher", "staff": "cormorant", "board": "albatross"}
WAYS = [
    "/search?q=quarterly",
    "/search?q=quarterly&sort=date",
    "/search?q=quarterly+albatros",  # one letter is missing: what might be meant
    "/search?q=quarterly+cormorent",
    "/search?q=heron+-printed",
    "/api/search?q=quarterly&facets=1&size=50",
    "/api/search?q=quarterly+OR+report&fold=0",
    "/api/search?q=qua*",
    "/api/suggest?q=alb",
    "/api/suggest?q=cor",
    "/api/suggest?q=kin",
    "/api/suggest?q=quart",
    "/search.rss?q=quarterly",
]


class Company(NamedTuple):
    """The search page of a crawl, and the addresses of the hosts."""

    client: httpx.Client
    data: Path
    hosts: dict[str, str]


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    """Three hosts with the same pages but for a word; the hidden ones link to the open one."""
    data = tmp_path_factory.mktemp("company")
    with ExitStack() as stack:
        sites = {name: stack.enter_context(scripted_web({})) for name in SECRETS}
        for name, site in sites.items():
            secret, reports = SECRETS[name], [one.url("/report") for one in sites.values()]
            links = "".join(f'<a href="{url}">{secret} {number}</a> ' for number, url in enumerate(reports))
            start = f"<p>All about {secret}.</p>{links if name != 'open' else ''}"
            site.routes["/"] = html(f"Start of {secret}", start + anchors(["/report", "/copy"]))
            prefers = f'<link rel="canonical" href="{reports[0]}">'  # which may not stand for a hidden page
            site.routes["/report"] = html(f"Report {secret}", f"<p>{COMMON} {secret} readers.</p>", prefers)
            site.routes["/copy"] = html("Copy", f"<p>{COMMON} everybody who asks for one of them.</p>" * 3)
        hosts = {name: site.url("/").rstrip("/") for name, site in sites.items()}
        (data / "crawl.toml").write_text(TOML.format(**hosts), encoding="utf-8")
        scrapy(data, "crawl", "web")
        address = stack.enter_context(serving(data))
        client = stack.enter_context(httpx.Client(base_url=address, timeout=60, trust_env=False))
        yield Company(client, data, hosts)


@pytest.mark.slow
@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_out_has_what_one_may_see(company: Company, who: str, way: str) -> None:
    answer = company.client.get(way, headers=PEOPLE[who])
    assert answer.status_code == 200
    asked = re.search("q=([^&]*)", way)
    assert asked
    words = answer.text.replace(asked[1], "")
    for name, secret in SECRETS.items():
        if name not in SEEN[who]:
            assert secret not in words.lower()
            assert company.hosts[name].partition("//")[2] not in words, "nor its address"


@pytest.mark.slow
@pytest.mark.parametrize("who", PEOPLE)
def test_each_finds_what_is_theirs(company: Company, who: str) -> None:
    """Not more, not less, also in counts and facets."""
    found = company.client.get("/api/search?q=quarterly&facets=1&size=50&fold=0", headers=PEOPLE[who]).json()
    assert {hit["url"] for hit in found["hits"]} == {
        f"{company.hosts[name]}{path}" for name in SEEN[who] for path in ("/report", "/copy")
    }
    assert found["total"] == 2 * len(SEEN[who])
    assert {one["value"] for one in found["facets"]["host"]} == {
        company.hosts[name].partition("//")[2] for name in SEEN[who]
    }
    for name, secret in SECRETS.items():
        total = company.client.get(f"/api/search?q={secret}", headers=PEOPLE[who]).json()["total"]
        assert bool(total) is (name in SEEN[who])


PASSING = r'"took_ms": [0-9.]+|[0-9.]+.ms|token" value="[^"]*'  # what no two answers share
OF_A_URL = [
    ("/text?url={}&q=quarterly", "the copy of its text"),
    ("/why?url={}&q=quarterly", "why it stands where it stands"),
    ("/api/explain?url={}&q=quarterly", "the same for programs"),
    ("/search?q=link:{}", "who links to it"),
    ("/api/search?q=site:{}&facets=1", "what is below it"),
    ("/api/submit?url={}", "how far it has come"),
    ("/owner?host={}", "whose it is"),
]


@pytest.mark.slow
@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("way", "why"), OF_A_URL, ids=[row[1] for row in OF_A_URL])
def test_a_hidden_page_is_like_one_that_is_not_there(company: Company, who: str, way: str, why: str) -> None:
    """Word for word: the two answers differ in the address that was asked for."""
    for name in SECRETS.keys() - SEEN[who]:
        answers = []
        for path in ("/report", "/absent"):
            url = company.hosts[name] + path
            answer = company.client.get(way.format(quote(url, safe="")), headers=PEOPLE[who])
            text = answer.text.replace(url, "URL").replace(quote(url, safe=""), "URL")
            text = text.replace(url.partition("://")[2], "URL").replace(path, "/PATH")
            answers.append(
                (answer.status_code, re.sub(r'"took_ms": [0-9.]+|[0-9.]+.ms|token" value="[^"]*', "", text))
            )
        assert answers[0] == answers[1], why


@pytest.mark.slow
def test_a_submission_tells_nothing_of_a_hidden_page(company: Company) -> None:
    """It is refused, whether the page is there or not."""
    answers = []
    for path in ("/report", "/absent"):
        url = company.hosts["staff"] + path
        answer = company.client.post("/api/submit", data={"url": url})
        answers.append((answer.status_code, answer.text.replace(url, "URL")))
    assert answers[0] == answers[1]
    assert answers[0][0] == 422


@pytest.mark.slow
def test_nobody_else_can_say_who_asks(company: Company) -> None:
    """A script of another site acts for a person who never asked; two names are one too many."""
    for more in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = company.client.get("/api/search?q=cormorant", headers=PEOPLE["staff"] | more)
        assert answer.json()["total"] == 0
    twice = [("X-Forwarded-User", "eve"), *PEOPLE["staff"].items()]
    assert company.client.get("/api/search?q=cormorant", headers=twice).json()["total"] == 0


@pytest.mark.slow
def test_no_shared_cache_may_keep_an_answer(company: Company) -> None:
    for headers in PEOPLE.values():
        answer = company.client.get("/search?q=quarterly", headers=headers)
        assert "private" in answer.headers["cache-control"]


@pytest.mark.slow
def test_metrics_count_what_everybody_may_see(company: Company) -> None:
    text = company.client.get("/metrics").text
    assert "lycosa_index_documents 3\n" in text


@pytest.mark.slow
def test_other_rules_need_another_index(company: Company, tmp_path: Path) -> None:
    """Until then nothing is answered: a page that is to be hidden stands among the open ones."""
    toml = company.data / "crawl.toml"
    before = toml.read_text(encoding="utf-8")
    toml.write_text(before.replace('audience = "board"', 'audience = "staff"'), encoding="utf-8")
    try:
        with serving(company.data) as address:
            answer = httpx.get(f"{address}/api/search?q=quarterly", trust_env=False)
            assert answer.status_code == 503
            scrapy(company.data, "rebuild")
            found = httpx.get(
                f"{address}/api/search?q=albatross", headers=PEOPLE["staff"], trust_env=False
            ).json()
            assert found["total"]
            assert not httpx.get(f"{address}/api/search?q=albatross", trust_env=False).json()["total"]
    finally:
        toml.write_text(before, encoding="utf-8")
        scrapy(company.data, "rebuild")


@pytest.mark.slow
def test_the_operator_finds_all(company: Company) -> None:
    for name, secret in SECRETS.items():
        found = json.loads(scrapy(company.data, "search", "--json", secret).stdout)
        assert found["hits"][0]["url"].startswith(company.hosts[name])
