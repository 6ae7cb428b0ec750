"""What a provider says of itself is fetched when it is needed, kept for an hour, and believed in part."""

import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from engine.config import OidcConfig, SecretPlace
from engine.errors import EngineError
from engine.oidc import Provider, ProviderAway, SignInRefused, Viewer, begin_attempt
from engine.oidc.provider import KEEP_SECONDS, REFRESH_SECONDS
from tests.crawling import Clock
from tests.web.openid import CLIENT, KEYS, SECRET, OpenIdSite, as_json, sign_with
from tests.web.scripted import Answer

CALLBACK = "https://search.example.org/sign-in/callback"
DISCOVERY = "/.well-known/openid-configuration"


@pytest.fixture
def site() -> Iterator[OpenIdSite]:
    with OpenIdSite() as site:
        yield site


def open_for(site: OpenIdSite, clock: Clock | None = None, **more: Any) -> Provider:
    config = OidcConfig(site.issuer, CLIENT, SecretPlace("S"), **more)
    groups, tls = frozenset({"staff"}), ssl.create_default_context()
    return Provider(config, SECRET, CALLBACK, groups, tls, **({"clock": clock} if clock else {}))


def let_in(site: OpenIdSite, provider: Provider) -> Viewer:
    """Somebody goes to the provider, and comes back with a code."""
    attempt = begin_attempt(0.0, "/")
    address = provider.build_authorization_url(attempt).removeprefix(site.issuer)
    fields = dict(pair.split("=") for pair in address.partition("?")[2].split("&"))
    path, redirect = address.partition("?")[0], {**fields, "redirect_uri": CALLBACK, "scope": "openid"}
    code = site._authorize(redirect, path).headers["Location"].split("code=")[1].split("&")[0]  # type: ignore[call-overload]
    return provider.redeem(code, attempt)


def test_nothing_is_asked_before_somebody_signs_in(site: OpenIdSite) -> None:
    provider = open_for(site)
    assert site.log == []
    assert let_in(site, provider) == Viewer("ada", frozenset({"staff"}))
    assert let_in(site, provider) == Viewer("ada", frozenset({"staff"}))
    assert site.paths == [DISCOVERY, "/token", "/keys", "/token"], "and each once"


def test_what_is_kept_is_asked_for_again_after_an_hour(site: OpenIdSite) -> None:
    clock = Clock()
    site.lie = {"iat": clock.now, "exp": clock.now + 2 * KEEP_SECONDS}
    let_in(site, provider := open_for(site, clock))
    clock.now += KEEP_SECONDS
    let_in(site, provider)
    assert site.paths.count(DISCOVERY) == site.paths.count("/keys") == 2


def test_a_key_that_is_new_is_asked_for(site: OpenIdSite) -> None:
    """At most once in REFRESH_SECONDS: a token costs no more than that."""
    clock = Clock()
    site.lie = {"iat": clock.now, "exp": clock.now + 300}
    let_in(site, provider := open_for(site, clock))
    site.keys, site.sign = [KEYS[1]], sign_with(KEYS[1])
    with pytest.raises(SignInRefused, match="signed by no key"):
        let_in(site, provider)
    clock.now += REFRESH_SECONDS
    assert let_in(site, provider).user == "ada"
    site.sign = sign_with(KEYS[0])
    with pytest.raises(SignInRefused, match="signed by no key"):
        let_in(site, provider)
    assert site.paths.count("/keys") == 2


DOCUMENTS: list[tuple[dict[str, Any] | Answer, str, str]] = [
    ({"issuer": "https://other.example"}, "is of another issuer", "a copy of another's"),
    ({"jwks_uri": "http://192.0.2.1/keys"}, "no usable jwks_uri", "keys that anybody between could change"),
    ({"token_endpoint": "http://login.example/"}, "no usable token_endpoint", "our secret, readable"),
    ({"token_endpoint": None}, "no usable token_endpoint", "none"),
    ({"authorization_endpoint": "javascript:x"}, "no usable authorization_endpoint", "no page"),
    (
        {"userinfo_endpoint": "http://login.example/"},
        "no usable userinfo_endpoint",
        "groups that anybody writes",
    ),
    ({"end_session_endpoint": "http://a.example/"}, "no usable end_session_endpoint", "readable as well"),
    (Answer(404), "status 404", "a name with a mistake"),
    (Answer(200, "[]"), "no JSON object", "a list"),
    (Answer(200, "[" * 100_000), "no JSON", "a tower of brackets"),
    (Answer(200, "{" + " " * 600_000 + "}"), "more than 512,000 bytes", "more than anybody reads"),
    (Answer(200, (b" " * 1_000 for _ in range(10_000))), "more than 512,000 bytes", "without an end"),
    (Answer(302, "{}", {"Location": "/elsewhere"}), "status 302", "a redirect"),
    (Answer(500), "status 500", "an error"),
    (Answer(raw=b"nonsense\r\n\r\n"), "cannot be reached", "no HTTP"),
]


@pytest.mark.parametrize(("document", "says", "why"), DOCUMENTS, ids=[row[2] for row in DOCUMENTS])
def test_a_discovery_document_that_cannot_be_used(
    site: OpenIdSite, document: dict[str, Any] | Answer, says: str, why: str
) -> None:
    if isinstance(document, Answer):
        site.routes[DISCOVERY] = document
    else:
        site.discovery = document
    with pytest.raises(ProviderAway, match=says) as told:
        open_for(site).build_authorization_url(begin_attempt(0.0, "/"))
    assert SECRET not in str(told.value), why


KEY_SETS: list[tuple[object, str]] = [
    ({}, "no keys"),
    ({"keys": "none"}, "no list"),
    ({"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "key0"}]}, "a secret that everybody can read"),
    ({"keys": [{**KEYS[0].as_dict(private=False), "use": "enc"}]}, "a key for other uses"),
    ({"keys": [{"kty": "RSA", "kid": "key0"}, 5, None]}, "damaged ones"),
]


@pytest.mark.parametrize(("keys", "why"), KEY_SETS, ids=[row[1] for row in KEY_SETS])
def test_keys_by_which_nothing_is_verified(site: OpenIdSite, keys: object, why: str) -> None:
    site.routes["/keys"] = as_json(keys)
    with pytest.raises(SignInRefused, match="no key by which"):
        let_in(site, open_for(site))


def test_a_damaged_key_beside_a_good_one_is_left_out(site: OpenIdSite) -> None:
    site.routes["/keys"] = as_json({"keys": [{"kty": "RSA"}, KEYS[0].as_dict(private=False)]})
    assert let_in(site, open_for(site)).user == "ada"


def test_a_provider_that_knows_no_basic_authentication(site: OpenIdSite) -> None:
    site.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"]}
    assert let_in(site, open_for(site)).user == "ada"
    [asked] = [request for request in site.log if request.path == "/token"]
    assert "authorization" not in asked.headers


def test_a_wrong_secret_is_told_without_it(site: OpenIdSite) -> None:
    provider = Provider(
        OidcConfig(site.issuer, CLIENT, SecretPlace("S")),
        "canary",
        CALLBACK,
        frozenset(),
        ssl.create_default_context(),
    )
    with pytest.raises(SignInRefused, match="status 401: 'invalid_client'") as told:
        let_in(site, provider)
    assert "canary" not in str(told.value)


def test_a_provider_that_is_away() -> None:
    with OpenIdSite() as site:
        provider = open_for(site)
    with pytest.raises(ProviderAway, match="cannot be reached"):
        provider.build_authorization_url(begin_attempt(0.0, "/"))


PEOPLE: list[tuple[dict[str, Any], dict[str, Any], Viewer | None, str]] = [
    ({"groups": "staff"}, {}, Viewer("ada", frozenset({"staff"})), "one group, no list"),
    ({"groups": ["Staff", "staff2", 7, None]}, {}, Viewer("ada"), "groups that are like it"),
    ({"groups": {"staff": True}}, {}, Viewer("ada"), "no list of groups"),
    ({"groups": None}, {}, Viewer("ada"), "no groups"),
    ({"roles": ["staff"]}, {"groups_claim": "roles"}, Viewer("ada", frozenset({"staff"})), "another claim"),
    ({"name": "Ada"}, {"user_claim": "name"}, Viewer("Ada", frozenset({"staff"})), "another name"),
    ({}, {"user_claim": "name"}, None, "a name that is not there"),
    ({"sub": "a\nb"}, {}, None, "a name of two lines"),
    ({"sub": 7}, {}, None, "a number"),
    (
        {"email": "a@b.example", "email_verified": True},
        {"user_claim": "email"},
        Viewer("a@b.example", frozenset({"staff"})),
        "a mail address that is theirs",
    ),
    ({"email": "a@b.example"}, {"user_claim": "email"}, None, "one that anybody may have typed"),
    ({"email": "a@b.example", "email_verified": "false"}, {"user_claim": "email"}, None, "and a text"),
]


@pytest.mark.parametrize(("person", "config", "viewer", "why"), PEOPLE, ids=[row[3] for row in PEOPLE])
def test_who_somebody_is(
    site: OpenIdSite, person: dict[str, Any], config: dict[str, Any], viewer: Viewer | None, why: str
) -> None:
    site.person |= person
    if viewer:
        assert let_in(site, open_for(site, **config)) == viewer, why
    else:
        with pytest.raises(EngineError, match="user_claim names"):
            let_in(site, open_for(site, **config))
