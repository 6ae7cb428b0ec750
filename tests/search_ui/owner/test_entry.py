"""Who comes in at /owner: naming a host, showing that it is one's own, coming back; and who does not."""

import re
from collections.abc import Mapping

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.config import Config, ServerConfig
from engine.ownership.mark import file_path, make_key, make_value
from search_ui.owner.context import CHECKS_AT_ONCE
from tests.search_ui.admin.conftest import make_app
from tests.search_ui.admin.test_gate import CONNECTIONS, OWN, PROXY, TLS
from tests.search_ui.owner.conftest import Owner, main_text, show
from tests.search_ui.root_path import is_below, list_addresses
from tests.web.scripted import Site

COOKIE = "lycosa-owner"
HOSTILE = '"><script>alert(1)</script>'


def is_inside(answer: httpx.Response) -> bool:
    return answer.status_code == 200 and "Your hosts" in answer.text


@pytest.mark.requirement(285, 311)
def test_from_a_name_to_a_session(owner: Owner, site: Site) -> None:
    """As somebody does it who reads the page: without a script, and without an account."""
    asked = owner.get(f"/owner?host={owner.host}")
    assert asked.status_code == 200
    key, text, element = (node.text() for node in LexborHTMLParser(asked.text).css("pre code"))
    value = make_value(owner.host, key)
    assert (text, element) == (
        f"lycosa-verification: {value}",
        f'<meta name="lycosa-verification" content="{value}">',
    )
    assert f"{owner.host}{file_path(value)}" in main_text(asked)
    assert site.log == [], "nothing is asked before the button is pressed"
    refused = owner.post("/owner/check", {"host": owner.host, "key": key})
    assert refused.status_code == 422
    assert "the server answered with status 404" in main_text(refused)
    assert key in refused.text, "the same is to be shown still"
    show(site, key)
    done = owner.post("/owner/check", {"host": owner.host, "key": key})
    assert (done.status_code, done.headers["location"]) == (303, owner.path)
    assert is_inside(owner.get("/owner"))


def test_the_robot_page_leads_there(owner: Owner) -> None:
    assert 'href="/owner"' in owner.get("/robot").text


def test_cookies(owned: Config, owner: Owner) -> None:
    sent = owner.prove().headers["set-cookie"]
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=strict", sent)
    behind = Owner(make_app(owned, PROXY, "https://search.example"), host=owner.host, key=owner.key)
    sent = behind.prove({**TLS, **OWN}).headers["set-cookie"]
    assert re.fullmatch(rf"__Host-{COOKIE}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=strict; Secure", sent)


@pytest.mark.parametrize(
    ("peer", "headers", "serving", "is_safe", "why"), CONNECTIONS, ids=[row[-1] for row in CONNECTIONS]
)
def test_connections(
    owned: Config,
    owner: Owner,
    peer: str,
    headers: Mapping[str, str],
    serving: ServerConfig,
    is_safe: bool,
    why: str,
) -> None:
    """A key is asked for where nobody can read it on its way, as the operator's password is."""
    browser = Owner(make_app(owned, serving, "https://search.example"), peer, host=owner.host, key=owner.key)
    assert browser.get("/owner", headers).status_code == (200 if is_safe else 403), why
    answer = browser.prove({**headers, **OWN})
    assert (answer.status_code, "set-cookie" in answer.headers) == ((303, True) if is_safe else (403, False))


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, "another site"),
        ({"Sec-Fetch-Site": "same-site"}, "a neighbour"),
        ({"Origin": "https://evil.example"}, "an older browser"),
        ({"Origin": "null"}, "a sandbox"),
        ({"Referer": "https://evil.example/"}, "an even older one"),
    ],
)
def test_no_other_site_has_a_host_checked(
    owner: Owner, site: Site, headers: Mapping[str, str], why: str
) -> None:
    """Nor logs a visitor in where the attacker would be seen."""
    answer = owner.prove(headers)
    assert (answer.status_code, "set-cookie" in answer.headers, site.log) == (403, False, []), why


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("http://never.example", "no crawl has met it"),
        ("http://169.254.169.254", "where clouds keep their keys"),
        ("http://127.0.0.1:22", "our own machine"),
        ("file:///etc/passwd", "no host"),
        (HOSTILE, "markup"),
        ("\0\ud800", "what no page can show"),
    ],
)
def test_hosts_that_nobody_knows(owner: Owner, site: Site, host: str, why: str) -> None:
    for answer in (
        owner.get("/owner?" + str(httpx.QueryParams({"host": host.encode(errors="replace")}))),
        owner.post("/owner/check", {"host": host.encode(errors="replace").decode(), "key": owner.key}),
    ):
        assert answer.status_code == 404, why
        assert "This Lycosa has not visited such a host" in main_text(answer)
        assert "<script>alert" not in answer.text
    assert site.log == []


@pytest.mark.parametrize("key", ["", "password", "k" * 42, HOSTILE])
def test_what_is_no_key(owner: Owner, site: Site, key: str) -> None:
    owner.key = key
    answer = owner.prove()
    assert answer.status_code == 422
    assert "This is not a key" in main_text(answer)
    assert site.log == []


def test_a_stolen_value_opens_nothing(owner: Owner, inside: Owner) -> None:
    """It stands on the site for everybody to see."""
    value = make_value(owner.host, owner.key)
    thief = Owner(owner.app, host=owner.host, key=value.ljust(43, "A"))
    assert thief.prove().status_code == 422
    assert thief.get("/owner").status_code == 200
    assert not is_inside(thief.get("/owner"))


@pytest.mark.parametrize("cookie", ["", "x", "0" * 43])
def test_a_forged_cookie_opens_nothing(inside: Owner, cookie: str) -> None:
    headers = {"Cookie": f"{COOKIE}={cookie}"}
    stranger = Owner(inside.app, host=inside.host)
    assert not is_inside(stranger.get("/owner", headers))


def test_no_session_of_the_operator_is_one_of_an_owner(inside: Owner) -> None:
    (session_id,) = (value for name, value in inside.cookies.items() if name == COOKIE)
    stranger = Owner(inside.app)
    assert stranger.get("/admin", {"Cookie": f"lycosa-operator={session_id}"}).status_code in (303, 404)


def test_guesses_are_slowed_down(owner: Owner, owned: Config) -> None:
    """Also over keys that have the right form."""
    stranger = Owner(make_app(owned, PROXY, "https://search.example"), host=owner.host)
    headers = {**TLS, **OWN}
    statuses = []
    for _ in range(CHECKS_AT_ONCE + 1):
        stranger.key = make_key()
        statuses.append(stranger.prove(headers).status_code)
    assert statuses == [422] * CHECKS_AT_ONCE + [429]
    stranger.key = owner.key
    refused = stranger.prove(headers)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert "set-cookie" not in refused.headers
    owner.app = stranger.app
    assert owner.prove({**headers, "X-Forwarded-For": "198.51.100.7"}).status_code == 303, "others may"


def test_logging_out(inside: Owner) -> None:
    kept, token = httpx.Cookies(inside.cookies), inside.token("/owner")
    assert inside.post("/owner/logout", {"token": "x"}).status_code == 403
    foreign = inside.post("/owner/logout", {"token": token}, {"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    assert inside.get("/owner/logout").status_code == 303
    assert is_inside(inside.get("/owner")), "a link logs nobody out"
    answer = inside.post("/owner/logout", {"token": token})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    inside.cookies = kept
    assert not is_inside(inside.get("/owner"))


def test_nothing_is_kept_by_browsers(owner: Owner) -> None:
    answers = [
        owner.get("/owner"),
        owner.get(f"/owner?host={owner.host}"),
        owner.prove(),
        owner.get("/owner"),
    ]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    assert owner.ask("DELETE", "/owner", OWN).status_code == 405
    assert owner.get("/owner/check").status_code == 303


def test_a_session_holds_over_workers(owned: Config, inside: Owner) -> None:
    """What one process has let in, another knows."""
    other = Owner(make_app(owned), host=inside.host, cookies=inside.cookies)
    assert is_inside(other.get("/owner"))
    assert not is_inside(Owner(make_app(owned)).get("/owner"))


def test_below_a_path_of_another_site(owned: Config, owner: Owner) -> None:
    """No address of a page, no redirect and no cookie leaves it."""
    public_url = "https://www.example.org/find"
    browser = Owner(make_app(owned, PROXY, public_url), base="https://www.example.org", host=owner.host)
    headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", **OWN}
    fields = {"host": owner.host, "key": owner.key}
    done = browser.post("/find/owner/check", fields, headers)
    assert (done.status_code, done.headers["location"]) == (303, f"/find{owner.path}")
    cookie = done.headers["set-cookie"]
    assert cookie.startswith(f"__Secure-{COOKIE}=")
    assert "Path=/find/;" in cookie
    kept = {**headers, "Cookie": cookie.partition(";")[0]}
    for tab in ("", "/errors", "/removals", "/complaint"):
        page = browser.get(f"{owner.path}{tab}", kept)
        assert page.status_code == 200
        found = list_addresses(page, f"{public_url}{owner.path}{tab}")
        assert [one for one in found if not is_below(one, public_url)] == []
        assert len(found) > 10
