"""What a page may ask for is decided by the crawl's gates: whose host, which URL."""

from types import SimpleNamespace
from typing import Any

import pytest

from engine.middleware import PrivateHosts
from engine.model import Claim, Purpose, State
from engine.render.resource_requests import ResourceRequests

OWN, OTHER_OWN = "http://own.example", "http://cdn.own.example"
PUBLIC, CDN = "https://public.example", "https://cdn.example"
NAMED, LOGIN, PROXIED = "http://named.example", "http://login.example", "http://proxied.example"
UNKNOWN = "https://unknown.example"
SHOP, OFFICE = (
    "https://shop.example",
    "http://office.example",
)  # a stranger's and the operator's; they name all


def requests() -> ResourceRequests:
    """Of a crawl that has all of these hosts but one."""
    known = {OWN, OTHER_OWN, PUBLIC, CDN, NAMED, LOGIN, PROXIED, SHOP, OFFICE}
    named = frozenset((*known, UNKNOWN))
    own = PrivateHosts.build((OWN, OTHER_OWN, OFFICE), ())
    permissions = SimpleNamespace(
        is_removed=lambda url: "removed" in url,
        refusal=lambda host, url: State.DISALLOWED if "/private/" in url else None,
    )
    logins = {LOGIN: SimpleNamespace(refusal=lambda url: "login" if url.endswith("/enter") else "")}
    spider = SimpleNamespace(
        clock=lambda: 0.0,
        crawl=SimpleNamespace(
            permissions=permissions,
            discovery=SimpleNamespace(
                sites=SimpleNamespace(
                    logins=logins,
                    render_hosts=lambda url: named if url[:-1] in (SHOP, OFFICE, LOGIN) else frozenset(),
                )
            ),
        ),
        logins=SimpleNamespace(find=logins.get),
        own_hosts=own,
        private_hosts=PrivateHosts.build((OWN, OTHER_OWN, OFFICE), ("named.example",)),
        proxies=SimpleNamespace(by_host={PROXIED: "http://proxy.example:3128"}),
    )
    turns: Any = SimpleNamespace(may_ask=lambda host: host in known)
    crawler: Any = SimpleNamespace(spider=spider)
    return ResourceRequests(crawler, turns)


HOSTS = [
    (PUBLIC, PUBLIC, True, "its own"),
    (PUBLIC, CDN, True, "another of the crawl"),
    (PUBLIC, UNKNOWN, False, "its robots.txt is not known"),
    (PUBLIC, OWN, False, "a stranger's page and the operator's host"),
    (PUBLIC, NAMED, False, "the same, of allow_private"),
    (PUBLIC, PROXIED, False, "the same, behind a proxy"),
    (PUBLIC, LOGIN, False, "the same, behind a login"),
    (OWN, OTHER_OWN, True, "both are the operator's"),
    (OWN, CDN, True, "a public one"),
    (OWN, NAMED, False, "named, and not his"),
    (OWN, LOGIN, False, "what it has is for its own pages"),
    (NAMED, OWN, False, "not his, and his"),
    (LOGIN, LOGIN, True, "its own"),
    (LOGIN, CDN, False, "what was read there would go elsewhere"),
    (LOGIN, OWN, False, "likewise"),
    (UNKNOWN, UNKNOWN, False, "its own, which another crawl asks now"),
]


@pytest.mark.parametrize(("page", "host", "may", "why"), HOSTS)
def test_which_hosts_a_page_may_lead_to(page: str, host: str, may: bool, why: str) -> None:
    claim = Claim(0, f"{host}/app.js", host, referrer=f"{page}/", kind=Purpose.RESOURCE)
    assert (requests()._refusal(claim) == "") is may, why


NO_NAME = "a page whose site does not name it"
BEFORE = [
    (PUBLIC, UNKNOWN, "another host", NO_NAME),
    (OWN, NAMED, "another host", "the same, of a host that the operator allows"),
    (SHOP, UNKNOWN, "", "its site names it"),
    (SHOP, NAMED, "a host of yours", "a stranger's page, whatever its site names"),
    (SHOP, OWN, "a host of yours", "likewise"),
    (SHOP, PROXIED, "a host of yours", "likewise"),
    (SHOP, LOGIN, "another host, and a login", "likewise"),
    (OFFICE, NAMED, "", "the operator's page, whose site names it"),
    (OFFICE, PROXIED, "", "likewise"),
    (OFFICE, LOGIN, "another host, and a login", "what it has is for its own pages"),
    (LOGIN, UNKNOWN, "another host, and a login", "what was read there would go elsewhere"),
]


@pytest.mark.parametrize(("page", "host", "why_not", "why"), BEFORE)
def test_which_hosts_are_opened_for_a_page(page: str, host: str, why_not: str, why: str) -> None:
    claim = Claim(0, f"{host}/app.js", host, referrer=f"{page}/", kind=Purpose.RESOURCE)
    assert requests()._refuse_before_asking(claim) == why_not, why


URLS = [
    (f"{PUBLIC}/app.js", "", "a script; its suffix is no trap here"),
    (f"{PUBLIC}/api/page.json", "", "data"),
    (f"{PUBLIC}/private/app.js", "robots.txt", ""),
    (f"{PUBLIC}/removed.js", "removed", "by the operator"),
    (f"{PUBLIC}/logout", "a trap", "it would change something"),
    (f"{PUBLIC}/cart?action=empty", "a trap", "likewise"),
    (f"{LOGIN}/enter", "a trap", "the page of a login"),
]


@pytest.mark.parametrize(("url", "refusal", "why"), URLS)
def test_which_urls_a_page_may_ask_for(url: str, refusal: str, why: str) -> None:
    host = "/".join(url.split("/")[:3])
    claim = Claim(0, url, host, referrer=f"{host}/", kind=Purpose.RESOURCE)
    assert requests()._refusal(claim) == refusal, why
