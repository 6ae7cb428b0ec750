"""What a crawl finds wrong with the hosts of its seeds, over a web that is a dict."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.alerts.alert import AlertKind, Finding
from engine.alerts.host_rules import judge_hosts, judge_logins, watch_seeds
from engine.config import Login
from tests.crawling import Clock, Web, crawl_of, run, step

PAGES = 30
A, B, C = (f"http://{name}.example" for name in "abc")


def web_of(*hosts: str) -> Web:
    """Hosts of PAGES pages each, and no robots.txt."""
    web = Web({})
    for host in hosts:
        pages = [f"{host}/{n}" for n in range(1, PAGES)]
        web.answers |= {f"{host}/": pages, **{page: [] for page in pages}}
    return web


def answer_robots(web: Web, host: str, status: int, body: bytes = b"") -> None:
    web.robots = {**web.robots, host: (status, body)}


def answer_pages(web: Web, host: str, status: int, least: int = 0) -> None:
    """Pages of a number from `least` on answer with this status."""
    for url in web.answers:
        if url.startswith(f"{host}/") and url != f"{host}/" and int(url.rpartition("/")[2]) >= least:
            web.answers[url] = status


def find(data: Path, web: Web, *hosts: str, own: bool = True) -> list[Finding]:
    """What is found at the end of a crawl of these hosts."""
    clock, seeds = Clock(), tuple(f"{host}/" for host in hosts)
    crawl = crawl_of(data, clock, seeds=seeds, own=own)
    with closing(crawl.store):
        run(crawl, web, clock)
        return judge_hosts(crawl.frontier, watch_seeds(seeds), clock.now, is_last=True)


def wrong(findings: list[Finding]) -> set[tuple[str, str]]:
    return {(finding.kind.value, finding.subject) for finding in findings if finding.is_wrong}


def well(findings: list[Finding]) -> set[tuple[str, str]]:
    return {(finding.kind.value, finding.subject) for finding in findings if not finding.is_wrong}


def nothing(web: Web) -> None:
    """All is well."""


def dead(web: Web) -> None:
    answer_robots(web, A, 0)
    answer_pages(web, A, 0)


def dies_in_the_middle(web: Web) -> None:
    answer_pages(web, A, 0, least=10)


def two_are_dead(web: Web) -> None:
    dead(web)
    answer_robots(web, B, 0)


def robots_fail(web: Web) -> None:
    answer_robots(web, A, 503)


def robots_forbid(web: Web) -> None:
    answer_robots(web, A, 200, b"User-agent: *\nDisallow: /\n")


def robots_forbid_a_part(web: Web) -> None:
    answer_robots(web, A, 200, b"User-agent: *\nDisallow: /1\n")


def robots_need_a_password(web: Web) -> None:
    answer_robots(web, A, 401)


def broken(web: Web) -> None:
    answer_pages(web, A, 500, least=8)


def stale_links(web: Web) -> None:
    answer_pages(web, A, 404, least=8)


CASES: list[tuple[Callable[[Web], None], set[tuple[str, str]]]] = [
    (nothing, set()),
    (dead, {("host-down", A)}),
    (dies_in_the_middle, {("host-down", A)}),
    (two_are_dead, {("hosts-down", "")}),
    (robots_fail, {("robots-outage", A)}),
    (robots_forbid, {("robots-forbid", A)}),
    (robots_forbid_a_part, set()),
    (robots_need_a_password, {("robots-forbid", A)}),
    (broken, {("error-rate", A)}),
    (stale_links, set()),
]


@pytest.mark.slow
@pytest.mark.requirement(62, 256)
@pytest.mark.parametrize(("change", "expected"), CASES, ids=[row[0].__name__ for row in CASES])
def test_what_is_wrong_with_hosts(
    tmp_path: Path, change: Callable[[Web], None], expected: set[tuple[str, str]]
) -> None:
    """Nothing else is wrong, and of what is wrong nothing is well."""
    web = web_of(A, B, C)
    change(web)
    findings = find(tmp_path, web, A, B, C)
    assert wrong(findings) == expected
    assert not wrong(findings) & well(findings)
    assert all(finding.message and finding.advice for finding in findings if finding.is_wrong)
    assert ("host-down", C) in well(findings)
    assert (("hosts-down", "") in well(findings)) == (change is not two_are_dead)


@pytest.mark.requirement(62, 256)
@pytest.mark.parametrize(
    ("pages", "silent", "expected", "why"),
    [
        (1, 1, {("host-down", A)}, "its only page was tried as often as any: there is nothing more to ask"),
        (3, 3, {("host-down", A)}, "all of it is silent"),
        (3, 1, set(), "a page, not the host"),
    ],
)
def test_a_host_of_a_few_pages_that_dies_between_two_crawls(
    tmp_path: Path, pages: int, silent: int, expected: set[tuple[str, str]], why: str
) -> None:
    """Its robots.txt is known, so that it is not the first to be missed."""
    web = web_of(B, C)
    names = [f"{A}/{number or ''}" for number in range(pages)]
    web.answers |= dict.fromkeys(names, names)
    assert wrong(find(tmp_path, web, A, B, C)) == set()
    web.answers |= dict.fromkeys(names[pages - silent :], 0)
    assert wrong(find(tmp_path, web, A, B, C)) == expected, why


def test_a_strangers_stale_links_are_errors(tmp_path: Path) -> None:
    web = web_of(A)
    stale_links(web)
    assert wrong(find(tmp_path, web, A, own=False)) == {("error-rate", A)}


def test_one_host_alone_is_no_half_of_them(tmp_path: Path) -> None:
    web = web_of(A)
    dead(web)
    assert wrong(find(tmp_path, web, A)) == {("host-down", A)}


def test_of_a_host_that_was_not_asked_nothing_is_said(tmp_path: Path) -> None:
    """What was wrong with it yesterday still counts."""
    clock = Clock()
    crawl = crawl_of(tmp_path, clock, seeds=(f"{A}/",))
    assert judge_hosts(crawl.frontier, watch_seeds([f"{A}/", f"{B}/"]), clock.now) == []
    crawl.store.close()


def test_the_share_of_errors_is_told_while_the_crawl_runs(tmp_path: Path) -> None:
    """Within a minute, as each look asks the queues."""
    web, clock = web_of(A), Clock()
    broken(web)
    crawl = crawl_of(tmp_path, clock, seeds=(f"{A}/",), own=True)
    looks = []
    while step(crawl, web, clock):
        looks.append(judge_hosts(crawl.frontier, watch_seeds([f"{A}/"]), clock.now))
    crawl.store.close()
    told = [any(one.kind is AlertKind.ERROR_RATE and one.is_wrong for one in look) for look in looks]
    assert not told[0]
    assert any(told)
    first = looks[told.index(True)]
    assert [one.message for one in first if one.is_wrong] == [f"5 of the last 13 answers of {A} were errors"]


def test_so_many_hosts_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.alerts.host_rules.MAX_HOSTS", 2)
    seeds = [f"{A}/1", f"{B}/", f"{C}/", f"{A}/2"]
    assert watch_seeds(seeds) == {A: (f"{A}/1", f"{A}/2"), B: (f"{B}/",)}


def test_a_login_that_failed_is_wrong_until_one_works() -> None:
    """Of one that was not tried nothing is said."""
    logins = [Login(host, "bearer", "crawl.toml, line 3: host") for host in (A, B, C)]
    found = [*judge_logins(logins, {A: f"{A}/robots.txt: it answers 401", B: ""}, 1.0)]
    assert (wrong(found), well(found)) == ({("login-failed", A)}, {("login-failed", B)})
    assert found[0].message.endswith(f"as the login to it failed: {A}/robots.txt: it answers 401")
    assert "crawl.toml, line 3" in found[0].advice
