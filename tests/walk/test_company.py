"""A company in miniature: documents of all formats on four hosts; two ask who one is, scripts draw one."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.audiences import AUDIENCES, STAFF
from tests.chromium import reason_without_sandbox, sandboxed_chromium
from tests.running import scrapy, serving
from tests.walk.logins import SECRET, of_basic, of_form
from tests.walk.rendered_sites import APP, JSON, SCRIPT, shell
from tests.walk.test_documents import TYPES, files
from tests.web.private import FormSite, PrivateSite, by_basic
from tests.web.scripted import Answer, Route, Site, anchors, html, scripted_web

TOML = f"""{AUDIENCES}
[[site]]
seeds = ["{{open}}"]
own = true
[[site]]
seeds = ["{{staff}}"]
own = true
audience = "staff"
[[site]]
seeds = ["{{vault}}"]
own = true
{{drawn_site}}
[[login]]
host = "{{staff}}"
{{staff_login}}
[[login]]
host = "{{vault}}"
{{vault_login}}
"""
TOLD = "The heron of {} {} stands in the reeds, and nobody has seen it there before."
FORMATS = ("html", *files())
PEOPLE: dict[str, dict[str, str]] = {
    "a visitor": {},
    "one of the staff": STAFF,
    "somebody else": {"X-Forwarded-User": "eve", "X-Forwarded-Groups": "nobody,everyone,vault"},
}
OPEN = {"open", "drawn"}
SEEN = {"a visitor": OPEN, "one of the staff": OPEN | {"staff"}, "somebody else": OPEN}
DRAWN = '[[site]]\nseeds = ["{}"]\nown = true\nrender = "auto"\n'
HOSTS = ("open", "staff", "vault", pytest.param("drawn", marks=pytest.mark.chromium))


class Company(NamedTuple):
    """The search page of a crawl, and its hosts."""

    client: httpx.Client
    data: Path
    sites: dict[str, Site]

    def site(self, host: str) -> Site:
        """One of its hosts; without Chromium nobody reads the one that scripts draw."""
        if host not in self.sites:
            pytest.skip(reason_without_sandbox())
        return self.sites[host]


def routes(host: str) -> dict[str, Route]:
    """A start page that leads to a document of each format, each with a sentence of its own."""
    told = TOLD.format(host, "{}")
    documents: dict[str, Route] = {
        f"/{name}/report.{name}": Answer(200, body, {"Content-Type": TYPES[name]})
        for name, body in files(told).items()
    }
    page = html("Report", f"<p>{told.format('html')}</p>")
    return {"/": html("Start", anchors(["/html/report", *documents])), "/html/report": page, **documents}


def drawn_routes() -> dict[str, Route]:
    """The same, but for its pages: of these a server sends the script alone that draws them."""
    documents = routes("drawn")
    pages = {"/": ("Start", [*documents][1:]), "/html/report": (TOLD.format("drawn", "html"), [])}
    for path, (text, links) in pages.items():
        drawn = {"title": "Report", "text": text, "links": links}
        documents |= {path: shell(), f"/api{path}": Answer(200, json.dumps(drawn), JSON)}
    return documents | {"/app.js": Answer(200, APP, SCRIPT)}


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    """One crawl of all, by commands alone."""
    data = tmp_path_factory.mktemp("company")
    with ExitStack() as stack:
        sites: dict[str, Site] = {
            "open": stack.enter_context(scripted_web(routes("open"))),
            "staff": stack.enter_context(FormSite(routes("staff"), SECRET, lives=5)),
            "vault": stack.enter_context(PrivateSite(routes("vault"), by_basic(SECRET))),
        }
        drawn_site = ""
        if not reason_without_sandbox():
            stack.enter_context(sandboxed_chromium(tmp_path_factory.mktemp("programs")))
            sites["drawn"] = stack.enter_context(scripted_web(drawn_routes()))
            drawn_site = DRAWN.format(sites["drawn"].url(""))
        urls = {name: site.url("") for name, site in sites.items()} | {"drawn_site": drawn_site}
        logins = {"staff_login": of_form(data, sites["staff"]), "vault_login": of_basic(data, sites["vault"])}
        (data / "crawl.toml").write_text(TOML.format(**urls, **logins), encoding="utf-8")
        scrapy(data, "crawl", "web")
        address = stack.enter_context(serving(data))
        client = stack.enter_context(httpx.Client(base_url=address, timeout=60, trust_env=False))
        yield Company(client, data, sites)


@pytest.mark.slow
@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("host", HOSTS)
def test_every_sentence_is_found_by_those_who_may(company: Company, who: str, host: str) -> None:
    """And by nobody else: not by its words, its host, its type or its beginning."""
    site, headers = company.site(host), PEOPLE[who]
    for name in FORMATS:
        asked = f'/api/search?q="heron of {host} {name} stands"'
        found = [hit["url"] for hit in company.client.get(asked, headers=headers).json()["hits"]]
        if host in SEEN[who]:
            assert found[0] == site.url(f"/{name}/report" + f".{name}" * (name != "html"))
        assert host in SEEN[who] or not [url for url in found if url.startswith(site.url(""))], name
    asked = f"site:{site.address}:{site.port}"
    total = company.client.get("/api/search", params={"q": asked}, headers=headers).json()["total"]
    assert total == (len(FORMATS) + 1 if host in SEEN[who] else 0)


@pytest.mark.slow
def test_the_operator_finds_what_nobody_may_see(company: Company) -> None:
    """A host behind a login whose audience is not written: it is crawled, and waits for that."""
    for host, site in company.sites.items():
        found = json.loads(scrapy(company.data, "search", "--json", f'"heron of {host} pdf stands"').stdout)
        assert [hit["url"] for hit in found["hits"]] == [site.url("/pdf/report.pdf")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "audiences", "line"),
    [
        ("open", [], ""),
        ("staff", ["staff"], "found by      who is in the audience staff"),
        ("vault", ["nobody"], "found by      nobody: its host has a [[login]]"),
    ],
)
def test_explain_says_who_finds_a_page(company: Company, host: str, audiences: list[str], line: str) -> None:
    url = company.sites[host].url("/pdf/report.pdf")
    assert json.loads(scrapy(company.data, "explain", url, "--json").stdout)["audiences"] == audiences
    told = scrapy(company.data, "explain", url).stdout
    assert line in told
    assert line or "found by" not in told


@pytest.mark.slow
def test_everyone_is_written_to_open_it(company: Company) -> None:
    toml = company.data / "crawl.toml"
    before = toml.read_text(encoding="utf-8")
    vault = f'seeds = ["{company.sites["vault"].url("")}"]'
    toml.write_text(before.replace(vault, f'{vault}\naudience = "everyone"'), encoding="utf-8")
    scrapy(company.data, "rebuild")
    try:
        with serving(company.data) as address:
            found = httpx.get(f"{address}/api/search?q=vault+odt", trust_env=False).json()["hits"]
            assert found[0]["url"] == company.sites["vault"].url("/odt/report.odt")
            hidden = httpx.get(f"{address}/api/search?q=staff", trust_env=False).json()
            assert hidden["total"] == 0
    finally:
        toml.write_text(before, encoding="utf-8")
        scrapy(company.data, "rebuild")
