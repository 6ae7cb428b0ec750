"""A sign-in goes on in the browser that began it, for ten minutes, and leads back to a page of ours."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.oidc.attempt import ATTEMPT_SECONDS, begin_attempt, is_own_path, load_attempt

NOW = 1_800_000_000.0


def test_it_comes_back() -> None:
    attempt = begin_attempt(NOW, "/search?q=a")
    assert load_attempt(attempt.dump(), attempt.state, NOW + ATTEMPT_SECONDS - 1) == attempt


def test_what_the_provider_learns_tells_nothing_of_the_rest() -> None:
    attempt = begin_attempt(NOW, "/")
    digest = hashlib.sha256(attempt.verifier.encode()).digest()
    assert attempt.challenge == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert len({attempt.secret, attempt.state, attempt.nonce, attempt.verifier, attempt.challenge}) == 5
    assert 43 <= len(attempt.verifier) <= 128, "RFC 7636, 4.1"
    assert begin_attempt(NOW, "/").state != attempt.state


OLD = [(NOW + ATTEMPT_SECONDS, "ten minutes later"), (NOW - 1, "before it began")]


@pytest.mark.parametrize(("now", "why"), OLD)
def test_it_ends(now: float, why: str) -> None:
    attempt = begin_attempt(NOW, "/")
    assert load_attempt(attempt.dump(), attempt.state, now) is None, why


def test_a_later_beginning_does_not_fit() -> None:
    """The cookie is the browser's to change; the state that comes back is of what was in it before."""
    attempt = begin_attempt(NOW, "/")
    younger = attempt.dump().replace("1800000000", "1800000900")
    assert load_attempt(younger, attempt.state, NOW + 900) is None


@given(cookie=st.text(), state=st.text())
def test_any_cookie_is_taken(cookie: str, state: str) -> None:
    assert load_attempt(cookie, state, NOW) is None


@given(path=st.text(st.characters(codec="utf-8")).map(lambda text: f"/{text}"))
def test_a_path_of_ours_has_nothing_that_leads_elsewhere(path: str) -> None:
    if is_own_path(path):
        assert not path.startswith(("//", "/\\"))
        assert path.isascii()
        assert path.isprintable()
        assert "\\" not in path
        assert " " not in path
