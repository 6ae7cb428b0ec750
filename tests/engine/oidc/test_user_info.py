"""Groups that the ID token lacks are asked for at the UserInfo endpoint, and left out where that lies."""

import json
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from engine.config import OidcConfig, SecretPlace
from engine.oidc import Provider, Viewer
from tests.engine.oidc.test_provider import CALLBACK, DISCOVERY, let_in, open_for
from tests.web.openid import ACCESS, CLIENT, KEYS, SECRET, OpenIdSite, sign_with
from tests.web.scripted import Answer

ADA, STAFF = Viewer("ada"), Viewer("ada", frozenset({"staff"}))
IN_STAFF = {"sub": "ada", "groups": ["staff"]}


@pytest.fixture
def site() -> Iterator[OpenIdSite]:
    with OpenIdSite() as site:
        site.person, site.user_info = {"sub": "ada"}, IN_STAFF
        yield site


def test_it_is_asked_once_a_sign_in(site: OpenIdSite) -> None:
    provider = open_for(site)
    assert let_in(site, provider) == let_in(site, provider) == STAFF
    assert site.paths == [DISCOVERY, "/token", "/keys", "/userinfo", "/token", "/userinfo"]
    assert "authorization" not in next(one for one in site.log if one.path == DISCOVERY).headers


NOT_ASKED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"groups": ["staff"]}, {}, "the token has them"),
    ({"groups": []}, {}, "the token says that there are none"),
    ({"groups": "other"}, {}, "the token has one of which nobody knows"),
    ({"realm_access": {"roles": []}}, {"groups_claim": "realm_access.roles"}, "the path leads somewhere"),
]


@pytest.mark.parametrize(("person", "config", "why"), NOT_ASKED, ids=[row[2] for row in NOT_ASKED])
def test_it_is_not_asked_for_what_the_token_has(
    site: OpenIdSite, person: dict[str, Any], config: dict[str, Any], why: str
) -> None:
    site.person |= person
    let_in(site, open_for(site, **config))
    assert "/userinfo" not in site.paths, why


def test_it_is_not_asked_where_no_audience_has_groups(site: OpenIdSite) -> None:
    config = OidcConfig(site.issuer, CLIENT, SecretPlace("S"))
    provider = Provider(config, SECRET, CALLBACK, frozenset(), ssl.create_default_context())
    assert let_in(site, provider) == ADA
    assert "/userinfo" not in site.paths


def test_a_provider_that_has_none(site: OpenIdSite, caplog: pytest.LogCaptureFixture) -> None:
    site.user_info = None
    assert let_in(site, open_for(site)) == ADA
    assert caplog.text == ""


SHAPES: list[tuple[object, Viewer, str]] = [
    (["staff", "others"], STAFF, "a list"),
    ("staff", STAFF, "one group"),
    ("staff,others", ADA, "a text is one group, whatever is in it"),
    (["/staff", "Staff", "staff "], ADA, "groups that are like it"),
    (["staff", 7, None, [], {}, ["staff"]], STAFF, "others beside it"),
    ([["staff"]], ADA, "a list in a list"),
    ({"staff": True}, ADA, "an object"),
    ([{"name": "staff"}], ADA, "objects"),
    (["\ud800", "*", ""], ADA, "half a letter, and what means everybody elsewhere"),
    ([f"group{number}" for number in range(30_000)], ADA, "all groups of the world"),
    (True, ADA, "a truth"),
    (None, ADA, "nothing"),
]


@pytest.mark.parametrize(("groups", "viewer", "why"), SHAPES, ids=[row[2] for row in SHAPES])
def test_groups_of_any_shape(site: OpenIdSite, groups: object, viewer: Viewer, why: str) -> None:
    site.user_info = {"sub": "ada", "groups": groups}
    assert let_in(site, open_for(site)) == viewer, why


def test_groups_by_a_path(site: OpenIdSite) -> None:
    site.person["realm_access"] = {}
    site.user_info = {"sub": "ada", "realm_access": {"roles": ["staff"]}}
    assert let_in(site, open_for(site, groups_claim="realm_access.roles")) == STAFF


def test_nothing_but_groups_is_taken_from_it(site: OpenIdSite) -> None:
    """Who somebody is says a signed token alone."""
    site.person["name"] = "ada"
    site.user_info = {**IN_STAFF, "name": "root", "iss": "https://evil.example"}
    assert let_in(site, open_for(site, user_claim="name")) == STAFF


LIES: list[tuple[Answer, str, str]] = [
    (Answer(200, json.dumps({**IN_STAFF, "sub": "eve"})), "of somebody else", "another's (Core 5.3.2)"),
    (Answer(200, json.dumps({**IN_STAFF, "sub": "Ada"})), "of somebody else", "one who is called like it"),
    (Answer(200, json.dumps({**IN_STAFF, "sub": ["ada"]})), "of somebody else", "a list"),
    (Answer(200, '{"groups": ["staff"]}'), "of somebody else", "nobody's"),
    (Answer(200, sign_with(KEYS[0])(IN_STAFF)), "no JSON", "a signed token, of which we know no key for"),
    (Answer(200, "<html>"), "no JSON", "a page for people"),
    (Answer(200, "[]"), "no JSON object", "a list"),
    (Answer(200, "[" * 100_000), "no JSON", "a tower of brackets"),
    (Answer(200, "{" + " " * 600_000 + "}"), "more than 512,000 bytes", "more than anybody reads"),
    (Answer(200, (b" " * 1_000 for _ in range(10_000))), "more than 512,000 bytes", "without an end"),
    (Answer(307, "{}", {"Location": "/elsewhere"}), "status 307", "a redirect, which gets no token"),
    (Answer(302, json.dumps(IN_STAFF), {"Location": "/elsewhere"}), "status 302", "one that answers, too"),
    (Answer(401, json.dumps(IN_STAFF)), "status 401", "a refusal with groups in it"),
    (Answer(502, json.dumps(IN_STAFF)), "status 502", "an error with groups in it"),
    (Answer(drop=True), "cannot be reached", "no answer"),
    (Answer(raw=b"nonsense\r\n\r\n"), "cannot be reached", "no HTTP"),
]


@pytest.mark.parametrize(("answer", "says", "why"), LIES, ids=[row[2] for row in LIES])
def test_a_lie_or_a_failure_brings_no_groups(
    site: OpenIdSite, caplog: pytest.LogCaptureFixture, answer: Answer, says: str, why: str
) -> None:
    """The sign-in goes on: who may see less than they should sees it, and the log says why."""
    site.routes["/userinfo"] = answer
    assert let_in(site, open_for(site)) == ADA, why
    assert f"signs in without groups: {site.issuer}/userinfo" in caplog.text
    assert says in caplog.text
    assert "/elsewhere" not in site.paths
    assert ACCESS not in caplog.text


def test_two_who_are_nobody_are_not_the_same(site: OpenIdSite) -> None:
    site.person, site.user_info = {"name": "ada"}, {"groups": ["staff"]}
    assert let_in(site, open_for(site, user_claim="name")) == ADA


TOKENS: list[tuple[object, str]] = [
    (None, "none"),
    ("", "an empty one"),
    (7, "a number"),
    ("a\r\nX-Evil: 1", "another header in it"),
    ("a b", "two words"),
    ("é", "no ASCII"),
    ("\u0661", "a digit that is none"),
    ("a\n", "the end of a line"),
]


@pytest.mark.parametrize(("token", "why"), TOKENS, ids=[row[1] for row in TOKENS])
def test_an_access_token_that_is_none_is_not_sent(
    site: OpenIdSite, caplog: pytest.LogCaptureFixture, token: object, why: str
) -> None:
    site.tokens = {"access_token": token}
    assert let_in(site, open_for(site)) == ADA, why
    assert "gives no access token" in caplog.text
    assert "/userinfo" not in site.paths


def test_a_provider_whose_userinfo_is_down(site: OpenIdSite, caplog: pytest.LogCaptureFixture) -> None:
    with OpenIdSite() as gone:
        site.discovery = {"userinfo_endpoint": f"{gone.issuer}/userinfo"}
    assert let_in(site, open_for(site)) == ADA
    assert f"{gone.issuer}/userinfo cannot be reached" in caplog.text
