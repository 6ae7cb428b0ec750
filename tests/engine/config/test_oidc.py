"""[oidc] of crawl.toml: what it means, and one line for each mistake."""

from pathlib import Path

import pytest

from engine.config import OidcConfig, SecretPlace
from engine.errors import EngineError
from tests.engine.config.test_load import read

PUBLIC = 'public_url = "https://search.example.org"\n'
OIDC = '[oidc]\nissuer = "https://login.example.org/"\nclient_id = "lycosa"\nsecret_env = "S"\n'
STAFF = '[[audience]]\nname = "staff"\ngroups = ["staff"]\n'


def test_a_provider(tmp_path: Path) -> None:
    found = read(tmp_path, f"{PUBLIC}{OIDC}{STAFF}").server.oidc
    where = f"{tmp_path / 'crawl.toml'}, line 2: oidc"
    assert found == OidcConfig("https://login.example.org/", "lycosa", SecretPlace("S"), where)
    more = 'user_claim = "email"\ngroups_claim = "roles"\nscopes = ["openid", "email"]\n'
    found = read(tmp_path, f"{PUBLIC}{OIDC}{more}{STAFF}").server.oidc
    assert found
    assert (found.user_claim, found.groups_claim, found.scopes) == ("email", "roles", ("openid", "email"))


def test_none(tmp_path: Path) -> None:
    assert read(tmp_path, PUBLIC).server.oidc is None


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_this_machine_needs_no_tls(tmp_path: Path, address: str) -> None:
    oidc = OIDC.replace("https://login.example.org/", f"{address}/realms/a")
    assert read(tmp_path, f'public_url = "{address}"\n{oidc}{STAFF}').server.oidc


HEADER = '[serve]\ntrusted_proxies = ["127.0.0.1"]\nuser_header = "X-Forwarded-User"\n'
WRONG = [
    (f"{PUBLIC}[oidc]\nclient_id = 'a'\n", "needs issuer = ", "no provider"),
    (f"{PUBLIC}[oidc]\nissuer = 'https://a.example'\n", "needs client_id = ", "no name of ours"),
    (f"{PUBLIC}{OIDC}secret = 'canary'\n{STAFF}", "secret is unknown; write one of", "a secret in the file"),
    (f"{PUBLIC}{OIDC}secret_file = 's'\n{STAFF}", "needs either secret_env", "two secrets"),
    (f"{OIDC}{STAFF}", "needs public_url = ", "nowhere to come back to"),
    (f'public_url = "http://search.lan"\n{OIDC}{STAFF}', "could read and change", "sessions for all to read"),
    (PUBLIC + OIDC.replace("https", "http") + STAFF, "could read and change", "a provider anybody could be"),
    (PUBLIC + OIDC.replace("//", "//u@") + STAFF, "it has a user name", "a password in an address"),
    (PUBLIC + OIDC.replace("https:", "") + STAFF, "could read and change", "no scheme"),
    (f'{PUBLIC}{OIDC}scopes = ["a b"]\n{STAFF}', "no name of a scope", "two scopes in one"),
    (f"{PUBLIC}{OIDC}", "nobody needs to sign in without an", "nothing is hidden"),
    (f"{PUBLIC}{OIDC}{STAFF}{HEADER}", "tells who asks as well; leave one of both out", "two who tell"),
]


@pytest.mark.parametrize(("text", "says", "why"), WRONG, ids=[why for *_, why in WRONG])
def test_a_mistake_is_one_line(tmp_path: Path, text: str, says: str, why: str) -> None:
    with pytest.raises(EngineError, match=says) as told:
        read(tmp_path, text)
    assert "canary" not in str(told.value), why
    assert "\n" not in str(told.value)
