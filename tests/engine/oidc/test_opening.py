"""What [oidc] needs is looked for before anything is served."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import AudienceConfig, Config, OidcConfig, SecretPlace, ServerConfig
from engine.errors import EngineError
from engine.oidc import open_provider

OIDC = OidcConfig("https://login.example.org", "lycosa", SecretPlace("S"), "crawl.toml, line 2: oidc")
SERVING = ServerConfig(audiences=(AudienceConfig("staff", groups=frozenset({"staff"})),), oidc=OIDC)
CONFIG = Config(Path("data"), public_url="https://search.example.org", server=SERVING)


def test_no_provider() -> None:
    assert open_provider(Config(Path("data")), {}) is None


def test_a_provider() -> None:
    provider = open_provider(CONFIG, {"S": "word"})
    assert provider
    assert provider.config == OIDC


def test_no_secret() -> None:
    with pytest.raises(EngineError, match="line 2: oidc: the environment has no S"):
        open_provider(CONFIG, {})


def test_a_secret_that_others_can_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("word")
    (tmp_path / "secret").chmod(0o644)
    oidc = replace(OIDC, secret=SecretPlace(file=tmp_path / "secret"))
    with pytest.raises(EngineError, match="others can read"):
        open_provider(replace(CONFIG, server=replace(SERVING, oidc=oidc)), {})


def test_no_authorities(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("absent", "empty"):
        with pytest.raises(EngineError, match=r"ca_file: .* cannot be read"):
            open_provider(replace(CONFIG, ca_file=tmp_path / name), {"S": "word"})


def test_without_joserfc(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "engine.oidc.opening.find_spec", lambda name: None if name == "joserfc" else found(name)
    )
    with pytest.raises(EngineError, match="joserfc, which is not installed: run 'make oidc'"):
        open_provider(CONFIG, {"S": "word"})
