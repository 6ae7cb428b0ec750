"""People sign in at a provider on loopback, see what is theirs, and sign out."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.search_ui.signing_in import Searched, new_client, searched, sign_in, who


def test_somebody_signs_in_and_out(page: Searched, browser_like: httpx.Client) -> None:
    assert who(browser_like) == "everybody"
    back = sign_in(browser_like, "/search?q=who&page=1")
    assert (back.status_code, back.headers["location"]) == (303, "/search?q=who&page=1")
    assert who(browser_like) == "ada staff"
    assert ">Sign out<" in browser_like.get("/").text
    out = browser_like.post("/sign-out")
    assert (out.status_code, out.headers["location"]) == (303, "/sign-out")
    told = browser_like.get("/sign-out")
    assert f'href="{page.provider.issuer}/logout?client_id=lycosa&amp;post_logout' in told.text
    assert who(browser_like) == "everybody"
    assert ">Sign in<" in told.text


def test_groups_that_the_token_lacks(tmp_path: Path) -> None:
    with searched(tmp_path) as page, new_client(page) as client:
        page.provider.person = {"sub": "ada"}
        page.provider.user_info = {"sub": "ada", "groups": ["staff"]}
        sign_in(client)
        assert who(client) == "ada staff"
        page.provider.user_info = {"sub": "eve", "groups": ["staff"]}
        sign_in(client)
        assert who(client) == "ada", "a session has what its own sign-in brought"


def test_a_session_that_has_ended_opens_nothing(page: Searched, browser_like: httpx.Client) -> None:
    """Also for who has kept its cookie."""
    sign_in(browser_like)
    kept = browser_like.cookies["lycosa-viewer"]
    browser_like.post("/sign-out")
    assert who(browser_like, {"Cookie": f"lycosa-viewer={kept}"}) == "everybody"


def test_the_way_back_stands_in_the_link(browser_like: httpx.Client) -> None:
    text = browser_like.get("/search?q=two+words&lang=en").text
    assert "/sign-in?return=%2Fsearch%3Fq%3Dtwo%2Bwords%26lang%3Den" in text


def test_cookies_are_for_us_alone(browser_like: httpx.Client) -> None:
    begun = browser_like.get("/sign-in")
    ended = sign_in(browser_like)
    for cookie in (*begun.headers.get_list("set-cookie"), *ended.headers.get_list("set-cookie")):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/;" in cookie
    assert "no-store" in begun.headers["cache-control"]
    assert "no-store" in ended.headers["cache-control"]


def test_no_cache_keeps_what_one_person_sees(browser_like: httpx.Client) -> None:
    assert "private" in browser_like.get("/api/search?q=who").headers["cache-control"]
    sign_in(browser_like)
    for target in ("/", "/search?q=who", "/api/search?q=who", "/api/suggest?q=w", "/search.rss?q=who"):
        headers = browser_like.get(target).headers
        assert headers["cache-control"] == "private, no-store", target
        assert "Cookie" in headers["vary"], target
    assert "public" in browser_like.get("/static/style.css").headers["cache-control"]


FOREIGN: list[tuple[dict[str, str], str]] = [
    ({"Origin": "https://friend.example"}, "a site that may read the API reads what everybody may see"),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, "a script of another site"),
    ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, "and of a neighbour, with our cookie"),
]


@pytest.mark.parametrize(("headers", "why"), FOREIGN, ids=[row[1] for row in FOREIGN])
def test_other_sites_see_what_everybody_sees(
    browser_like: httpx.Client, headers: dict[str, str], why: str
) -> None:
    sign_in(browser_like)
    answer = browser_like.get("/api/search?q=who", headers=headers)
    assert answer.json()["hits"][0]["title"] == "everybody", why
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_no_other_site_signs_anybody_out(browser_like: httpx.Client, headers: dict[str, str]) -> None:
    sign_in(browser_like)
    assert browser_like.post("/sign-out", headers=headers).status_code == 403
    assert who(browser_like) == "ada staff"


def test_a_sign_in_makes_a_new_session(browser_like: httpx.Client) -> None:
    """The one that the browser had before, from whomever, is not it, and ends."""
    browser_like.cookies.set("lycosa-viewer", "planted", "127.0.0.1")
    sign_in(browser_like)
    first = browser_like.cookies["lycosa-viewer"]
    assert first != "planted"
    sign_in(browser_like)
    assert browser_like.cookies["lycosa-viewer"] != first
    assert who(browser_like, {"Cookie": f"lycosa-viewer={first}"}) == "everybody"


def test_groups_are_those_of_the_last_sign_in(page: Searched, browser_like: httpx.Client) -> None:
    sign_in(browser_like)
    page.provider.person = {"sub": "ada", "groups": ["printers"]}
    assert who(browser_like) == "ada staff"
    sign_in(browser_like)
    assert who(browser_like) == "ada"


def test_what_is_kept_is_no_more_than_needed(page: Searched, browser_like: httpx.Client) -> None:
    """No id, no token, no group that opens nothing."""
    sign_in(browser_like)
    kept = (page.config.data_dir / "viewers.db").read_bytes()
    assert browser_like.cookies["lycosa-viewer"].encode() not in kept
    assert b"printers" not in kept
    assert b"eyJ" not in kept


def test_without_a_provider_there_is_nothing_to_sign_in_to(site: Any) -> None:
    for path in ("/sign-in", "/sign-in/callback", "/sign-out"):
        assert site.get(path).status_code == 404
    assert "Sign in" not in site.get("/").text
