"""Tokens are kept hashed, each for named sites and so many URLs an hour."""

import hmac
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.database import RECRAWL, write_side
from engine.errors import EngineError
from engine.store import parse_target
from engine.submission import tokens
from engine.submission.tokens import HOUR, Token, add_token, find_token, load_tokens, remove_token, spend_urls
from tests.engine.database.side_rows import dump

NOW = 1_800_000_000.0
SITE = [parse_target("www.example.org")]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[sa.Connection]:
    with write_side(tmp_path, RECRAWL) as ledger:
        yield ledger


def test_a_token_is_kept_nowhere(tmp_path: Path) -> None:
    """Who reads the data folder, or a backup, cannot ask in its name."""
    with write_side(tmp_path, RECRAWL) as ledger:
        secret = add_token(ledger, "deploy", SITE, 100, NOW)
    assert secret.startswith("lycosa_")
    assert len(secret) > 40
    assert secret.removeprefix("lycosa_").encode() not in dump(tmp_path, RECRAWL)
    with write_side(tmp_path, RECRAWL) as ledger:
        found = find_token(ledger, secret, NOW + 1)
        assert found == ("deploy", ("www.example.org",), 100, NOW, NOW + 1)
        assert load_tokens(ledger) == [found]
        assert find_token(ledger, secret[:-1], NOW) is None
        assert find_token(ledger, "", NOW) is None
        assert find_token(ledger, "\udce9", NOW) is None
        assert load_tokens(ledger)[0].used_at == NOW + 1, "a wrong one uses none"


def test_all_tokens_are_compared(ledger: sa.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the right one, so that time tells nothing."""
    secrets = [add_token(ledger, name, SITE, 100, NOW) for name in ("a", "b", "c")]
    compared: list[bytes] = []
    real = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    for name, secret in zip("abc", secrets, strict=True):
        found = find_token(ledger, secret, NOW)
        assert found
        assert found.name == name
    assert len(compared) == 9


def test_one_that_is_removed_is_no_token_any_more(ledger: sa.Connection) -> None:
    secret = add_token(ledger, "deploy", SITE, 100, NOW)
    remove_token(ledger, "deploy")
    assert find_token(ledger, secret, NOW) is None
    with pytest.raises(EngineError, match="there is no token 'deploy'"):
        remove_token(ledger, "deploy")


@pytest.mark.parametrize(
    ("name", "says", "why"),
    [
        ("deploy", "there is a token 'deploy' already", "taken"),
        ("", "is no name", "empty"),
        ("a\nb", "is no name", "two lines of a list"),
        ("n" * 61, "is no name", "too long for a list"),
        ("another", "the most that are kept", "each is compared in turn"),
    ],
)
def test_names(
    ledger: sa.Connection, monkeypatch: pytest.MonkeyPatch, name: str, says: str, why: str
) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    add_token(ledger, "deploy", SITE, 100, NOW)
    with pytest.raises(EngineError, match=says):
        add_token(ledger, name, SITE, 100, NOW)


@pytest.mark.parametrize(
    ("site", "target", "covered", "why"),
    [
        ("www.example.org", "https://www.example.org/a", True, "a host"),
        ("www.example.org", "http://www.example.org:8080/a", True, "a name is all schemes and ports"),
        ("www.example.org", "https://www.example.org.evil.example/", False, "another host that begins so"),
        ("www.example.org", "https://docs.www.example.org/", False, "a host below it"),
        ("https://www.example.org", "http://www.example.org/", False, "one scheme alone"),
        ("https://www.example.org", "https://www.example.org/a*", True, "a prefix on it"),
        ("https://www.example.org/docs/*", "https://www.example.org/docs/a", True, "below a prefix"),
        ("https://www.example.org/docs/*", "https://www.example.org/docs/*", True, "the prefix itself"),
        ("https://www.example.org/docs/*", "https://www.example.org/do*", False, "a shorter prefix is more"),
        ("https://www.example.org/docs/*", "https://www.example.org/blog", False, "beside it"),
        ("https://www.example.org/docs/*", "https://www.example.org/docs/../blog", False, "out of it"),
    ],
)
def test_what_a_site_covers(site: str, target: str, covered: bool, why: str) -> None:
    token = Token("deploy", (site,), 100, NOW, None)
    assert token.covers(parse_target(target)) == covered, why


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    per_hour=st.integers(1, 1_000),
    asks=st.lists(st.tuples(st.floats(0, 2 * HOUR), st.integers(1, 1_000)), max_size=30),
)
def test_no_token_spends_more_than_its_hours_have(
    tmp_path: Path, per_hour: int, asks: list[tuple[float, int]]
) -> None:
    """Full at first, it fills by `per_hour` in an hour, never above that; who waits as told is served."""
    with write_side(tmp_path, RECRAWL) as ledger:
        ledger.execute(sa.delete(sa.table("tokens")))
        add_token(ledger, "deploy", SITE, per_hour, NOW)
        (token,) = load_tokens(ledger)
        now, spent = NOW, 0
        for seconds, number in asks:
            now += seconds
            wait = spend_urls(ledger, token, number, now)
            if wait and number <= per_hour:
                now += wait + 0.001
                assert not spend_urls(ledger, token, number, now)
            spent += number if not wait or number <= per_hour else 0
            assert spent <= per_hour * (1 + (now - NOW) / HOUR) + 0.001
