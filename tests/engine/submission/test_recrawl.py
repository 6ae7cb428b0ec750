"""What a program with a token may have recrawled: what is in scope, and no host that nobody knows."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.database import CrawlDatabase
from engine.model import State
from engine.robots import RobotsResponse
from engine.robots.answer import interpret_response
from engine.store import Store, add_block, parse_target, save_robots
from engine.submission import (
    Denial,
    RecrawlKind,
    RecrawlRefused,
    RecrawlService,
    RecrawlState,
)
from tests.crawling import HOST, Clock, states
from tests.engine.submission.recrawls import config_of, token_of

OTHER = "http://other.example"


def refusal(
    service: RecrawlService, secret: str, url: str, kind: RecrawlKind = RecrawlKind.PAGE
) -> RecrawlRefused:
    with pytest.raises(RecrawlRefused) as refused:
        service.request(secret, url, kind)
    return refused.value


@pytest.mark.parametrize(
    ("url", "kind", "waits", "why"),
    [
        (f"{HOST}/docs/a", "page", {"/docs/a"}, "a known page"),
        (f"{HOST}/docs/new", "page", {"/docs/new"}, "a page that the deployment has brought"),
        (f"{HOST}/docs/*", "page", {"/docs/a", "/docs/b"}, "a prefix"),
        (f"{HOST}/d*", "page", {"/docs/a", "/docs/b"}, "a prefix may end anywhere"),
        (f"{HOST}/index.html", "page", {"/"}, "as the operator's sites spell it"),
        (f"{HOST}/*", "page", {"/", "/docs/a", "/docs/b", "/sitemap.xml"}, "all of a host"),
        (f"{HOST}/sitemap.xml", "sitemap", {"/sitemap.xml"}, "a known sitemap"),
        (f"{HOST}/maps/new.xml.gz", "sitemap", {"/maps/new.xml.gz"}, "a new one, by no rule for pages"),
    ],
)
def test_what_is_queued(
    folder: Path, service: RecrawlService, url: str, kind: str, waits: set[str], why: str
) -> None:
    done = service.request(token_of(folder, HOST), url, RecrawlKind(kind))
    queued = {one.removeprefix(HOST) for one, (state, _) in states(folder).items() if state == State.QUEUED}
    assert queued == waits, why
    assert done.progress.queued == len(waits), why
    assert done.progress.state is RecrawlState.QUEUED


@pytest.mark.parametrize(
    ("url", "kind", "denial", "says", "why"),
    [
        (f"{OTHER}/", "page", Denial.SITE, "the token is for", "another site than the token's"),
        ("not a url", "page", Denial.URL, "", "no URL"),
        ("", "page", Denial.URL, "", "nothing"),
        ("ftp://h.example/", "page", Denial.URL, "", "no page"),
        ("http://h.example*", "page", Denial.URL, "", "a prefix of hosts"),
        ("h.exa*", "page", Denial.URL, "", "a prefix without a scheme"),
        (f"{HOST}/{'x' * 9_000}", "page", Denial.URL, "longer than", "nobody's URL"),
        (f"{HOST}/private/x", "page", Denial.RULE, "rule exclude", "the operator's exclude"),
        (f"{HOST}/docs/x.zip", "page", Denial.RULE, "rule file type", "a file that is not read"),
        (f"{HOST}/none/*", "page", Denial.RULE, "no crawl has found", "a prefix of nothing"),
        (f"{HOST}/gone", "page", Denial.RULE, "the operator has removed it", "removed"),
        (f"{HOST}/gone", "sitemap", Denial.RULE, "the operator has removed it", "removed, whatever it is"),
        (f"{HOST}/closed/x", "page", Denial.RULE, "robots.txt, line 2", "its owner forbids it"),
        (f"{HOST}/closed/map.xml", "sitemap", Denial.RULE, "robots.txt, line 2", "a sitemap likewise"),
    ],
)
def test_what_is_refused(
    folder: Path,
    service: RecrawlService,
    clock: Clock,
    url: str,
    kind: str,
    denial: Denial,
    says: str,
    why: str,
) -> None:
    store = Store(folder)
    with store.engine.begin() as connection:
        add_block(connection, parse_target(f"{HOST}/gone"), "asked for", "", clock.now)
        said = RobotsResponse(200, {}, b"User-agent: *\nDisallow: /closed/\n")
        save_robots(connection, HOST, interpret_response(said, clock.now))
    store.close()
    before = states(folder)
    refused = refusal(service, token_of(folder, HOST), url, RecrawlKind(kind))
    assert refused.denial is denial, why
    assert says in refused.why, why
    assert states(folder) == before, "nothing is queued"


@pytest.mark.parametrize("scope", ["any", "domain"])
def test_no_host_is_added(folder: Path, clock: Clock, scope: str) -> None:
    """Not even where links may lead anywhere: who has a token is no owner of the crawl."""
    toml = (folder / "crawl.toml").read_text("utf-8").replace("own = true", f'own = true\nscope = "{scope}"')
    (folder / "crawl.toml").write_text(toml, encoding="utf-8")
    secret = token_of(folder, HOST, "www.h.example", OTHER)
    with closing(CrawlDatabase(folder)) as database:
        service = RecrawlService(config_of(folder), database, clock)
        for host in ("http://www.h.example", OTHER):
            for kind in RecrawlKind:
                assert refusal(service, secret, f"{host}/x", kind).denial is Denial.RULE
        service.request(secret, f"{HOST}/x", RecrawlKind.PAGE)
    assert {url.split("/")[2] for url in states(folder)} == {"h.example"}


def test_a_site_that_was_taken_out_is_not_recrawled(folder: Path, clock: Clock) -> None:
    config = config_of(folder)
    moved = replace(config, sites=(replace(config.sites[0], seeds=(f"{OTHER}/",)),))
    with closing(CrawlDatabase(folder)) as database:
        service = RecrawlService(moved, database, clock)
        for url in (f"{HOST}/docs/a", f"{HOST}/docs/*", f"{HOST}/sitemap.xml"):
            assert refusal(service, token_of(folder, HOST, name=url), url).denial is Denial.RULE


def test_known_pages_alone_where_seeds_are_in_a_file(folder: Path, clock: Clock) -> None:
    """Only the crawl that reads it knows the scope."""
    config = config_of(folder)
    filed = replace(config, sites=(replace(config.sites[0], seeds=("seeds.txt",)),))
    secret = token_of(folder, HOST)
    with closing(CrawlDatabase(folder)) as database:
        service = RecrawlService(filed, database, clock)
        assert service.request(secret, f"{HOST}/docs/a", RecrawlKind.PAGE).progress.queued == 1
        assert refusal(service, secret, f"{HOST}/docs/new").denial is Denial.RULE


def test_an_hour_has_so_many_urls(folder: Path, service: RecrawlService, clock: Clock) -> None:
    secret = token_of(folder, HOST, per_hour=3)
    assert refusal(service, secret, f"{HOST}/*").denial is Denial.SIZE, "four"
    service.request(secret, f"{HOST}/docs/*", RecrawlKind.PAGE)
    refused = refusal(service, secret, f"{HOST}/docs/*")
    assert (refused.denial, round(refused.wait)) == (Denial.RATE, 1_200)
    service.request(secret, f"{HOST}/docs/a", RecrawlKind.PAGE)
    clock.now += 3_600
    service.request(secret, f"{HOST}/docs/*", RecrawlKind.PAGE)
    other = token_of(folder, HOST, name="other", per_hour=3)
    service.request(other, f"{HOST}/docs/*", RecrawlKind.PAGE)


def test_what_is_refused_costs_nothing(folder: Path, service: RecrawlService) -> None:
    secret = token_of(folder, HOST, per_hour=1)
    assert refusal(service, secret, f"{HOST}/private/x").denial is Denial.RULE
    service.request(secret, f"{HOST}/docs/a", RecrawlKind.PAGE)


def test_requests_are_their_tokens(folder: Path, service: RecrawlService) -> None:
    mine, other = token_of(folder, HOST), token_of(folder, HOST, name="other")
    made = service.request(mine, f"{HOST}/docs/*", RecrawlKind.PAGE).request
    assert (made.url, made.token) == (f"{HOST}/docs/*", "deploy")
    assert service.status(mine, made.id).request == made
    for secret, identity in ((other, made.id), (mine, "x"), (mine, "")):
        with pytest.raises(RecrawlRefused) as refused:
            service.status(secret, identity)
        assert refused.value.denial is Denial.UNKNOWN
    with pytest.raises(RecrawlRefused) as refused:
        service.status("lycosa_x", made.id)
    assert refused.value.denial is Denial.TOKEN


def test_without_tokens_nobody_asks(folder: Path, service: RecrawlService) -> None:
    """And no file is made by who tries."""
    before = {path.name for path in folder.iterdir()}
    assert refusal(service, "lycosa_x", f"{HOST}/").denial is Denial.TOKEN
    assert {path.name for path in folder.iterdir()} == before
