"""Attacks on the operator's pages, each with what comes of it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_network
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest
from starlette.applications import Starlette

from engine.admin import AdminAccess, clear_password, save_password
from engine.admin.attempts import FREE_ATTEMPTS
from engine.config import Config, ServerConfig
from search_ui.admin.gate import COOKIE, is_token, make_token
from tests.search_ui.admin.conftest import HERE, PASSWORD, Operator, make_app
from tests.search_ui.root_path import is_below, list_addresses

PROXY = ServerConfig(trusted_proxies=(ip_network("127.0.0.1"),))
TLS = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "Host": "search.example"}
OWN = {"Sec-Fetch-Site": "same-origin"}


def paths(app: Starlette) -> list[str]:
    routes = (getattr(route, "path", "") for route in app.routes)
    return sorted(path for path in routes if path.startswith("/admin"))


def is_inside(answer: httpx.Response) -> bool:
    return answer.status_code == 200 and "Log out" in answer.text


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT"])
def test_without_a_password_there_are_no_pages(operator: Operator, config: Config, method: str) -> None:
    clear_password(config.data_dir, 0, "")
    nothing = operator.ask("GET", "/nothing", {})
    for path in paths(operator.app):
        answer = operator.ask(method, path, {})
        assert answer.status_code == 404
        assert answer.headers == nothing.headers, "nobody can tell that they could be there"
        if method == "GET":
            assert answer.text == nothing.text


def test_without_a_session_every_page_leads_to_the_login(operator: Operator) -> None:
    for path in paths(operator.app):
        for answer in (operator.get(path), operator.post(path, {"token": "x"})):
            if path == "/admin/login":
                assert answer.status_code in (200, 401)
            else:
                assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login"), path


def test_nothing_of_any_page_is_kept(inside: Operator) -> None:
    for path in paths(inside.app):
        for answer in (inside.get(path), inside.ask("DELETE", path, {}), inside.post(path, {})):
            assert answer.headers["cache-control"] == "no-store", path
            assert answer.headers["x-frame-options"] == "DENY"
            assert "script-src 'self'" in answer.headers["content-security-policy"]
            assert answer.status_code > 200 or "<script" not in answer.text
    assert inside.get("/admin").headers["content-language"] == "en"


ATTACKS: list[tuple[Mapping[str, str], Mapping[str, str], int, str]] = [
    (OWN, {"a": "b"}, 403, "no token"),
    (OWN, {"token": ""}, 403, "an empty one"),
    (OWN, {"token": "guess.guess"}, 403, "a guess"),
    (OWN, {"token": make_token("another session")}, 403, "one of another session"),
    (OWN, {"token": make_token("")}, 403, "one of no session"),
    ({"Sec-Fetch-Site": "cross-site"}, {"token": "STOLEN"}, 403, "a stolen token, in a page of another site"),
    ({"Sec-Fetch-Site": "same-site"}, {"token": "STOLEN"}, 403, "a neighbouring host"),
    ({"Origin": "https://evil.example"}, {"token": "STOLEN"}, 403, "a browser without Sec-Fetch-Site"),
    ({"Origin": "null"}, {"token": "STOLEN"}, 403, "a sandboxed frame"),
    ({"Origin": "http://127.0.0.1:9000"}, {"token": "STOLEN"}, 403, "another port of this machine"),
    ({"Referer": "https://evil.example/"}, {"token": "STOLEN"}, 403, "a page that sends no origin"),
    (OWN, {"token": "STOLEN"}, 303, "the operator"),
    ({"Origin": HERE}, {"token": "STOLEN"}, 303, "the operator, in a browser without Sec-Fetch-Site"),
    ({}, {"token": "STOLEN"}, 303, "a program of the operator"),
]


@pytest.mark.parametrize(("headers", "fields", "status", "why"), ATTACKS, ids=[row[-1] for row in ATTACKS])
def test_forms(
    inside: Operator, headers: Mapping[str, str], fields: Mapping[str, str], status: int, why: str
) -> None:
    """Each tries to end the session; STOLEN is a token of it."""
    real = {name: inside.token() if value == "STOLEN" else value for name, value in fields.items()}
    before = httpx.Cookies(inside.cookies)
    assert inside.post("/admin/logout", real, headers).status_code == status, why
    inside.cookies = before
    assert is_inside(inside.get("/admin/audit")) is (status == 403), why


def test_a_login_form_of_another_site_is_refused(operator: Operator) -> None:
    """It would have the operator work in a session of somebody else's."""
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        answer = operator.post("/admin/login", {"password": PASSWORD}, headers)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_a_session_that_somebody_chose_is_worth_nothing(operator: Operator) -> None:
    operator.cookies.set(COOKIE, "chosen", domain="127.0.0.1", path="/")
    assert operator.get("/admin").status_code == 303
    operator.log_in()
    sent = operator.cookies.get(COOKIE, domain="127.0.0.1")
    assert sent != "chosen"
    assert is_inside(operator.get("/admin/audit"))


def test_a_login_ends_the_session_before_it(inside: Operator) -> None:
    first = httpx.Cookies(inside.cookies)
    inside.log_in()
    assert is_inside(inside.get("/admin/audit"))
    inside.cookies = first
    assert inside.get("/admin/audit").status_code == 303


def test_after_logout_the_cookie_opens_nothing(inside: Operator) -> None:
    kept, token = httpx.Cookies(inside.cookies), inside.token()
    answer = inside.post("/admin/logout", {"token": token})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert not inside.cookies
    inside.cookies = kept
    assert inside.get("/admin").status_code == 303


def test_a_link_does_not_log_out(inside: Operator) -> None:
    inside.get("/admin/logout")
    assert is_inside(inside.get("/admin/audit"))


def test_a_new_password_ends_the_session(inside: Operator, config: Config) -> None:
    save_password(config.data_dir, "another password", 0, "")
    assert inside.get("/admin").status_code == 303


def test_guesses_are_slowed_down_and_tell_nothing(operator: Operator) -> None:
    answers = [operator.log_in(typed) for typed in ("x", PASSWORD[:-1], "", "x" * 1_025, "\0")]
    assert {(one.status_code, one.text) for one in answers} == {(401, answers[0].text)}
    refused = operator.log_in()
    assert (refused.status_code, 1 <= int(refused.headers["retry-after"]) <= 30) == (429, True)
    assert re.search(r"Too many attempts\. Try again in \d+ s\.", refused.text)
    assert "set-cookie" not in refused.headers


def test_guesses_of_many_addresses_do_not_lock_out_who_is_here(config: Config) -> None:
    app = make_app(config, PROXY, "https://search.example")
    statuses = []
    for number in range(62):
        stranger = Operator(app, base="https://search.example")
        headers = {**TLS, **OWN, "X-Forwarded-For": f"198.51.100.{number}"}
        # Hashing 60 guesses would take ten seconds.
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("engine.admin.access.verify", lambda *_: False)
            statuses.append(stranger.post("/admin/login", {"password": "x"}, headers).status_code)
    assert statuses == [401] * 60 + [429] * 2
    assert Operator(app).log_in().status_code == 303


def test_guesses_through_a_proxy_that_names_nobody_do_not_lock_out_who_is_here(config: Config) -> None:
    app = make_app(config, PROXY, "https://search.example")
    stranger, headers = Operator(app), {"X-Forwarded-Proto": "https", "Host": "search.example", **OWN}
    statuses = [
        stranger.post("/admin/login", {"password": "x"}, headers).status_code
        for _ in range(FREE_ATTEMPTS + 1)
    ]
    assert statuses == [401] * FREE_ATTEMPTS + [429]
    assert Operator(app).log_in().status_code == 303


CONNECTIONS: list[tuple[str, Mapping[str, str], ServerConfig, bool, str]] = [
    ("127.0.0.1", {}, ServerConfig(), True, "a browser on this machine"),
    ("127.0.0.1", {"Host": "localhost:8000"}, ServerConfig(), True, "by name"),
    ("127.0.0.1", {"Host": "[::1]:8000"}, ServerConfig(), True, "IPv6"),
    ("::1", {}, ServerConfig(), True, "IPv6, indeed"),
    ("192.168.0.7", {}, ServerConfig(), False, "the same network is not the same machine"),
    ("203.0.113.9", {}, ServerConfig(), False, "the Internet"),
    ("203.0.113.9", {"X-Forwarded-Proto": "https"}, ServerConfig(), False, "who says that he speaks TLS"),
    ("203.0.113.9", {"X-Forwarded-For": "127.0.0.1"}, ServerConfig(), False, "or that he is this machine"),
    ("127.0.0.1", {"Host": "search.example"}, ServerConfig(), False, "a proxy that says nothing of itself"),
    ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, ServerConfig(), False, "a proxy that nobody named"),
    ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, ServerConfig(), False, "on whatever machine it is"),
    ("127.0.0.1", {"Via": "1.1 proxy"}, ServerConfig(), False, "another kind of proxy"),
    ("127.0.0.1", TLS, ServerConfig(), False, "its word counts for nothing"),
    ("127.0.0.1", TLS, PROXY, True, "TLS, by a proxy that we trust"),
    ("127.0.0.1", {**TLS, "X-Forwarded-Proto": "http"}, PROXY, False, "plain text before the proxy"),
    ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, PROXY, False, "who knows what is before it"),
    ("203.0.113.9", TLS, PROXY, False, "a stranger in the proxy's clothes"),
]


@pytest.mark.parametrize(
    ("peer", "headers", "serving", "is_safe", "why"), CONNECTIONS, ids=[row[-1] for row in CONNECTIONS]
)
def test_connections(
    config: Config, peer: str, headers: Mapping[str, str], serving: ServerConfig, is_safe: bool, why: str
) -> None:
    """A password is asked for where nobody can read it on its way."""
    app = make_app(config, serving, "https://search.example")
    browser = Operator(app, peer)
    assert browser.get("/admin/login", headers).status_code == (200 if is_safe else 403), why
    answer = browser.post("/admin/login", {"password": PASSWORD}, {**headers, **OWN})
    assert answer.status_code == (303 if is_safe else 403), why
    assert ("set-cookie" in answer.headers) is is_safe


@pytest.mark.parametrize(
    ("public_url", "cookie", "why"),
    [
        (
            "https://search.example",
            "__Host-lycosa-operator=S; HttpOnly; Path=/; SameSite=strict; Secure",
            "no neighbour can set or read it",
        ),
        (
            "https://search.example/find",
            "__Secure-lycosa-operator=S; HttpOnly; Path=/find/; SameSite=strict; Secure",
            "nor does the site above us get it",
        ),
    ],
)
def test_cookies_under_tls(config: Config, public_url: str, cookie: str, why: str) -> None:
    browser = Operator(make_app(config, PROXY, public_url))
    answer = browser.post("/admin/login", {"password": PASSWORD}, {**TLS, **OWN})
    name, _, rest = answer.headers["set-cookie"].partition("=")
    session_id, _, attributes = rest.partition("; ")
    assert f"{name}=S; {attributes}" == cookie, why
    assert len(session_id) == 43, "256 bits"


def test_below_a_path_of_another_site(config: Config) -> None:
    """Whether its web server strips the path or not, no address and no cookie leaves it."""
    public_url = "https://www.example.org/find"
    browser = Operator(make_app(config, PROXY, public_url), base="https://www.example.org")
    headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", **OWN}
    answer = browser.post("/find/admin/login", {"password": PASSWORD}, headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/find/admin")
    kept = {**headers, "Cookie": answer.headers["set-cookie"].partition(";")[0]}
    for path in paths(browser.app):
        for target in (f"/find{path}", path):
            page, url = browser.get(target, kept), f"{public_url}{path}"
            moved = [urljoin(url, page.headers["location"])] if page.status_code == 303 else []
            found = moved or list_addresses(page, url)
            assert [one for one in found if not is_below(one, public_url)] == [], path
            assert moved or len(found) > 10


def test_a_cookie_of_plain_http_opens_nothing_under_tls(config: Config) -> None:
    app = make_app(config, PROXY, "https://search.example")
    here = Operator(app)
    cookie = here.log_in().headers["set-cookie"].partition(";")[0]
    assert "Secure" not in here.log_in().headers["set-cookie"]
    assert Operator(app).get("/admin", {**TLS, "Cookie": cookie}).status_code == 303


def test_an_address_of_its_own(config: Config) -> None:
    """The port of the search page has none of the pages; the other has both."""
    app = make_app(config, replace(ServerConfig(), admin_address=("127.0.0.1", 8001)))
    public, own = Operator(app), Operator(app, base="http://127.0.0.1:8001")
    for path in paths(app):
        assert public.get(path).status_code == public.post(path, {}).status_code == 404
        assert public.get(path, {"Host": "127.0.0.1:8001"}).status_code == 404, "the socket counts, no header"
    assert own.log_in().status_code == 303
    assert is_inside(own.get("/admin/audit"))
    assert own.get("/static/admin.css").status_code == 200


def test_a_language_in_the_address_takes_no_session_away(operator: Operator) -> None:
    answer = operator.post("/admin/login?hl=pl", {"password": PASSWORD})
    assert any(cookie.startswith(COOKIE) for cookie in answer.headers.get_list("set-cookie"))


def test_a_token_is_of_one_session_and_new_each_time() -> None:
    one, other = make_token("s"), make_token("s")
    assert one != other, "so that a compressed page betrays none (BREACH)"
    assert [is_token(session, one) for session in ("s", "t", "")] == [True, False, False]
    assert not is_token("s", one[:-1])
    assert not is_token("s", f"x{one}")
    assert not is_token("s", "\u0660.\ud800")


def test_who_logs_in_is_noted(operator: Operator, config: Config) -> None:
    operator.log_in("x")
    operator.log_in()
    noted: Any = [(one.address, one.action) for one in AdminAccess(config.data_dir).load_audit(None, 2)]
    assert noted == [("127.0.0.1", "login"), ("127.0.0.1", "login failed")]
    shown = operator.get("/admin/audit").text
    assert shown.index("<td>login</td>") < shown.index("<td>login failed</td>")
