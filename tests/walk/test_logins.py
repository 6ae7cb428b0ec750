"""Real crawls of hosts that ask who one is: all pages behind a login are found, and none without it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import states
from tests.running import crawl, scrapy
from tests.walk.logins import (
    KINDS,
    PATHS,
    SECRET,
    of_basic,
    of_bearer,
    of_cookies,
    of_form,
    stored,
    write_secret,
    write_toml,
)
from tests.web.private import FormSite, PrivateSite, by_basic, private_pages
from tests.web.scripted import Answer, html, pages, scripted_web

pytestmark = pytest.mark.slow


def alarms(folder: Path) -> dict[str, Any]:
    """The open alarms by their kinds."""
    found = json.loads(scrapy(folder, "alerts", "--json").stdout)
    return {one["kind"]: one for one in found["alerts"]}


@pytest.mark.parametrize("name", KINDS)
def test_all_pages_are_found_with_the_login_and_none_without(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    with kind.site(tmp_path) as site:
        crawl(tmp_path, site.url())
        assert set(stored(tmp_path, site)).isdisjoint(PATHS)
        write_toml(tmp_path, site, kind.toml(tmp_path, site))
        crawl(tmp_path, site.url(), fresh="1")
        assert stored(tmp_path, site) == PATHS
        assert alarms(tmp_path) == {}


WRONG = {"basic": of_basic, "bearer": of_bearer, "cookies": of_cookies, "form": of_form}


@pytest.mark.parametrize("name", WRONG)
def test_a_login_that_fails_stops_its_host_and_loses_nothing(tmp_path: Path, name: str) -> None:
    """Pages that are known stay, those that wait still wait; other hosts go on; the next crawl mends it."""
    kind = KINDS[name]
    with kind.site(tmp_path) as site, scripted_web(pages({"/": ["/other"], "/other": []})) as other:
        write_toml(tmp_path, site, kind.toml(tmp_path, site))
        crawl(tmp_path, site.url(), max_pages="3")
        before = states(tmp_path)
        assert stored(tmp_path, site) != PATHS
        write_toml(tmp_path, site, WRONG[name](tmp_path, site, "canary-wrong"))
        site.log.clear()
        crawl(tmp_path, site.url(), other.url())
        assert len([one for one in site.log if not one.path.startswith("/login")]) <= 2
        assert stored(tmp_path, other) == ["/", "/other"]
        after = {url: state for url, state in states(tmp_path).items() if url.startswith(site.url(""))}
        after.pop(site.url("/sitemap.xml"), None)  # there is none
        assert {state for state, _ in after.values()} <= {"queued", "stored"}
        assert set(before) - {site.url("/sitemap.xml")} <= set(after)
        alarm = alarms(tmp_path)["login-failed"]
        assert alarm["subject"] == site.url("")
        assert "crawl.toml, line 3" in alarm["what_to_do"]
        assert "canary" not in json.dumps(alarm)
        write_toml(tmp_path, site, kind.toml(tmp_path, site))
        crawl(tmp_path, site.url(), other.url())
        assert stored(tmp_path, site) == PATHS
        assert alarms(tmp_path) == {}


REFUSALS = [
    (None, "a redirect to the form"),
    (Answer(403, "Log in first"), "a status"),
    (html("Log in", '<form><input name="user"><input type="password" name="word"></form>'), "the form"),
]


@pytest.mark.parametrize(("refusal", "why"), REFUSALS, ids=[row[1] for row in REFUSALS])
def test_a_session_that_ends_is_renewed_and_no_page_is_lost(
    tmp_path: Path, refusal: Answer | None, why: str
) -> None:
    """Each session is good for five pages; two links would end it, one of which crawl.toml names."""
    with FormSite(private_pages(12, ["/logout", "/bye", "/login"]), SECRET, 5, refusal) as site:
        write_toml(tmp_path, site, f'{of_form(tmp_path, site)}\nlogout = ["/bye$"]')
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == sorted(["/", *(f"/page{n}" for n in range(12))]), why
        assert site.logins >= 3
        assert site.ended == []


def test_pages_that_nobody_may_read_are_no_failed_login(tmp_path: Path) -> None:
    """They answer 403 after a new login, too."""
    routes = private_pages(4, ["/secret1", "/secret2"])
    routes |= {f"/secret{n}": Answer(403, "Not for you") for n in (1, 2)}
    with FormSite(routes, SECRET) as site:
        write_toml(tmp_path, site, of_form(tmp_path, site))
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == ["/", *(f"/page{n}" for n in range(4))]
        found = states(tmp_path)
        assert found[site.url("/secret1")] == found[site.url("/secret2")] == ("failed", "http 403")
        assert "login-failed" not in alarms(tmp_path)


def test_one_page_that_wants_another_password_stops_nothing(tmp_path: Path) -> None:
    routes = {**private_pages(6, ["/other-realm"]), "/other-realm": Answer(401, "Not by this password")}
    with PrivateSite(routes, by_basic(SECRET)) as site:
        write_toml(tmp_path, site, of_basic(tmp_path, site))
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == ["/", *(f"/page{n}" for n in range(6))]
        assert states(tmp_path)[site.url("/other-realm")] == ("failed", "it asks for another login")
        assert "login-failed" not in alarms(tmp_path)


FORMS = [
    (html("No form", "Log in by the app"), "has no form with a field for a password"),
    (Answer(404), "answers 404"),
    (
        html("x", '<form action="//127.0.0.2/" method=post><input type=password name=w></form>'),
        "another",
    ),
    (html("x", "<form><input type=password name=w></form>"), "would send the password in an address"),
]


@pytest.mark.parametrize(("form", "why"), FORMS, ids=[row[1] for row in FORMS])
def test_a_form_that_cannot_be_used(tmp_path: Path, form: Answer, why: str) -> None:
    with scripted_web({"/login": form, **private_pages(2)}) as site:
        write_toml(tmp_path, site, of_form(tmp_path, site))
        crawl(tmp_path, site.url())
        assert site.paths == ["/login"]
        assert why in alarms(tmp_path)["login-failed"]["message"]


def test_a_secret_of_the_environment_and_a_word_that_says_that_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIKI_PASSWORD", SECRET)
    with FormSite(private_pages(2), SECRET) as site:
        form = of_form(tmp_path, site).rpartition("\n")[0] + '\nsecret_env = "WIKI_PASSWORD"\n'
        write_toml(tmp_path, site, f'{form}success = "Page /"')
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == ["/", "/page0", "/page1"]
        write_toml(tmp_path, site, f'{form}success = "Welcome"')
        crawl(tmp_path, site.url())
        assert "has nothing that 'Welcome' matches" in alarms(tmp_path)["login-failed"]["message"]


def test_scrapy_check_reads_the_secrets(tmp_path: Path) -> None:
    with scripted_web({}) as site:
        write_toml(tmp_path, site, of_basic(tmp_path, site))
        assert "nothing is damaged" in scrapy(tmp_path, "check").stdout
        write_secret(tmp_path, SECRET).chmod(0o640)
        said = scrapy(tmp_path, "check", code=2).stderr
        assert "crawl.toml, line 3: host: others can read" in said
        assert "chmod 600" in said
        assert len(said.splitlines()) == 1
