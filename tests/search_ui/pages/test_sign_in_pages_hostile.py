"""Who tries to get in otherwise than by a sign-in of their own sees what everybody sees."""

import base64
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from joserfc.jwk import OctKey

from tests.search_ui.signing_in import Searched, come_back, new_client, searched, sign_in, who
from tests.web.openid import CLIENT, KEYS, SECRET, as_json, sign_with
from tests.web.scripted import Answer


def _other_state(client: httpx.Client, _: Searched) -> str:
    return come_back(client).replace("state=", "state=x")


def _of_another_browser(client: httpx.Client, page: Searched) -> str:
    with new_client(page) as attacker:
        return come_back(attacker)


def _of_another_browser_that_has_begun(client: httpx.Client, page: Searched) -> str:
    client.get("/sign-in")
    return _of_another_browser(client, page)


def _once_more(client: httpx.Client, _: Searched) -> str:
    back = come_back(client)
    kept = client.cookies["lycosa-sign-in"]
    client.get(back)
    client.cookies.clear()
    client.cookies.set("lycosa-sign-in", kept)
    return back


def _code_of_another(client: httpx.Client, page: Searched) -> str:
    stolen = parse_qs(urlsplit(_of_another_browser(client, page)).query)["code"][0]
    own = urlsplit(come_back(client))
    fields = {name: values[0] for name, values in parse_qs(own.query).items()}
    return f"{own.path}?{urlencode({**fields, 'code': stolen})}"


def _no_code(client: httpx.Client, _: Searched) -> str:
    return come_back(client).replace("code=", "error=access_denied&no=")


def _other_issuer(client: httpx.Client, _: Searched) -> str:
    return come_back(client).replace("iss=", "iss=x")


def _longer_path(client: httpx.Client, _: Searched) -> str:
    back = come_back(client)
    began, secret, _path = client.cookies["lycosa-sign-in"].split(".")
    client.cookies.clear()
    evil = base64.urlsafe_b64encode(b"//evil.example/").decode().rstrip("=")
    client.cookies.set("lycosa-sign-in", f"{began}.{secret}.{evil}")
    return back


def _nonsense(client: httpx.Client, _: Searched) -> str:
    client.cookies.set("lycosa-sign-in", "1.2.3")
    return "/sign-in/callback?code=x&state=y"


ATTACKS: list[tuple[Callable[[httpx.Client, Searched], str], int, str]] = [
    (_other_state, 400, "another state"),
    (_of_another_browser, 400, "a link of somebody who would have us signed in as them"),
    (_of_another_browser_that_has_begun, 400, "the same while one's own sign-in is under way"),
    (_once_more, 403, "a code that was redeemed, with the cookie of that time"),
    (_code_of_another, 403, "a stolen code: its challenge is another's (PKCE)"),
    (_no_code, 403, "the provider does not let us in"),
    (_other_issuer, 403, "another provider's answer (RFC 9207)"),
    (_longer_path, 400, "another way back in the cookie"),
    (_nonsense, 400, "a cookie that is none"),
]


@pytest.mark.parametrize(("attack", "status", "why"), ATTACKS, ids=[row[2] for row in ATTACKS])
def test_who_did_not_sign_in_here_is_not_let_in(
    page: Searched,
    browser_like: httpx.Client,
    attack: Callable[[httpx.Client, Searched], str],
    status: int,
    why: str,
) -> None:
    answer = browser_like.get(attack(browser_like, page))
    assert answer.status_code == status, why
    assert "lycosa-viewer" not in answer.headers.get("set-cookie", "")
    assert answer.headers["cache-control"] == "no-store"
    assert who(browser_like) == "everybody"


def _hmac_with_the_public_key(claims: dict[str, Any]) -> str:
    """By hand: the library refuses to take it for a secret."""
    head, body = (_encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "key0"}, claims))
    digest = hmac.digest(KEYS[0].as_pem(private=False), f"{head}.{body}".encode(), "sha256")
    return f"{head}.{body}.{_encode(digest)}"


def _hmac_with_the_secret(claims: dict[str, Any]) -> str:
    return sign_with(OctKey.import_key(SECRET), "HS256", "key0")(claims)


def _unsigned(claims: dict[str, Any]) -> str:
    parts = ({"alg": "none", "kid": "key0"}, claims)
    return ".".join([*(_encode(json.dumps(part).encode()) for part in parts), ""])


def _encode(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _changed(claims: dict[str, Any]) -> str:
    header, _, signature = sign_with(KEYS[0])(claims).split(".")
    return f"{header}.{_encode(json.dumps({**claims, 'sub': 'root'}).encode())}.{signature}"


SIGNATURES: list[tuple[Callable[[dict[str, Any]], str], str]] = [
    (_unsigned, "alg none"),
    (_hmac_with_the_public_key, "HS256 with the public key, which everybody knows"),
    (_hmac_with_the_secret, "HS256 with our secret: by no key of the provider's"),
    (sign_with(KEYS[1], kid="key0"), "another key under the name of the right one"),
    (sign_with(KEYS[1]), "a key that the provider does not name"),
    (_changed, "claims that were changed after they were signed"),
    (lambda _: "no.token.atall", "nonsense"),
    (lambda _: "", "nothing"),
]


@pytest.mark.parametrize(("sign", "why"), SIGNATURES, ids=[row[1] for row in SIGNATURES])
def test_a_token_is_signed_by_the_provider(
    page: Searched, browser_like: httpx.Client, sign: Callable[[dict[str, Any]], str], why: str
) -> None:
    page.provider.sign = sign
    answer = sign_in(browser_like)
    assert answer.status_code == 403, why
    assert who(browser_like) == "everybody"


LIES: list[tuple[dict[str, Any], str]] = [
    ({"iss": "https://evil.example"}, "another issuer"),
    ({"aud": "other"}, "another audience"),
    ({"aud": [CLIENT, "other"]}, "several, and not said who asked"),
    ({"aud": [CLIENT, "other"], "azp": "other"}, "another asked"),
    ({"nonce": "of another sign-in"}, "another nonce"),
    ({"exp": 1_000_000_000}, "expired"),
    ({"exp": None}, "for ever"),
    ({"exp": True}, "a truth is no time"),
    ({"iat": 4_000_000_000}, "made in the future"),
    ({"sub": None}, "nobody"),
    ({"sub": "a" * 257}, "a name longer than any in [[audience]]"),
]


@pytest.mark.parametrize(("lie", "why"), LIES, ids=[row[1] for row in LIES])
def test_a_token_is_for_us_and_for_now(
    page: Searched, browser_like: httpx.Client, lie: dict[str, Any], why: str
) -> None:
    page.provider.lie = lie
    assert sign_in(browser_like).status_code == 403, why
    assert who(browser_like) == "everybody"


PATHS = [
    ("//evil.example/", "another host"),
    ("/\\evil.example/", "which browsers take for the same"),
    ("https://evil.example/", "a whole address"),
    ("javascript:alert(1)", "no address"),
    ("/a\r\nSet-Cookie: x=1", "another header"),
    ("/\tevil", "what browsers leave out"),
    ("evil.example", "no path"),
    ("", "nothing"),
    ("/" + "a" * 2_000, "more than a cookie takes"),
    ("/search?q=é", "no ASCII: browsers encode what they send"),
]


@pytest.mark.parametrize(("path", "why"), PATHS, ids=[row[1] for row in PATHS])
def test_the_way_back_is_ours(browser_like: httpx.Client, path: str, why: str) -> None:
    assert sign_in(browser_like, path).headers["location"] == "/", why
    assert who(browser_like) == "ada staff"


def test_a_session_of_another_server_is_none(
    page: Searched, browser_like: httpx.Client, tmp_path: Path
) -> None:
    with searched(tmp_path) as other, new_client(other) as client:
        sign_in(client)
        assert who(client) == "ada staff"
        session = client.cookies["lycosa-viewer"]
    for stolen in (session, session[:-1], "", "x" * 5_000, "'"):
        assert who(browser_like, {"Cookie": f"lycosa-viewer={stolen}"}) == "everybody"


def _too_long(page: Searched) -> None:
    page.provider.routes["/token"] = as_json({"id_token": "x" * 600_000})


def _no_json(page: Searched) -> None:
    page.provider.routes["/token"] = Answer(200, "<html>")


def _failing(page: Searched) -> None:
    page.provider.routes["/token"] = Answer(502, "{}")


def _gone(page: Searched) -> None:
    page.provider.routes["/token"] = Answer(drop=True)


def _elsewhere(page: Searched) -> None:
    page.provider.routes["/token"] = Answer(307, "{}", {"Location": f"{page.provider.issuer}/stolen"})


TROUBLES: list[tuple[Callable[[Searched], None], int, str]] = [
    (_too_long, 503, "more than anybody reads"),
    (_no_json, 503, "a page for people"),
    (_failing, 503, "an error of the provider's"),
    (_gone, 503, "no answer at all"),
    (_elsewhere, 403, "a redirect, to which no secret is sent"),
]


@pytest.mark.parametrize(("trouble", "status", "why"), TROUBLES, ids=[row[2] for row in TROUBLES])
def test_a_provider_in_trouble_stops_nobody_from_searching(
    page: Searched, browser_like: httpx.Client, trouble: Callable[[Searched], None], status: int, why: str
) -> None:
    trouble(page)
    answer = sign_in(browser_like)
    assert answer.status_code == status, why
    assert ("searching still works" in answer.text) is (status == 503)
    assert who(browser_like) == "everybody"
    assert "/stolen" not in page.provider.paths
