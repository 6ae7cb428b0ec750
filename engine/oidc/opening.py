"""Opens the provider that crawl.toml names, so that what is wrong is said before anybody signs in."""

import ssl
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from engine.config import Config
from engine.errors import EngineError
from engine.login import read_secret
from engine.oidc.provider import Provider

CALLBACK = "/sign-in/callback"  # below public_url: what the provider has to know of us


def open_provider(config: Config, environment: Mapping[str, str]) -> Provider | None:
    """Opens the provider, None where crawl.toml names none; it is not asked for anything yet.

    Raises EngineError without joserfc, without a secret, and for a ca_file that cannot be read.
    """
    oidc = config.server.oidc
    if not oidc:
        return None
    if find_spec("joserfc") is None:
        raise EngineError(
            "[oidc] needs joserfc, which is not installed: run 'make oidc', "
            "or 'pip install -c constraints.txt joserfc'"
        )
    return Provider(
        oidc,
        read_secret(oidc.secret, oidc.where, environment),
        config.public_url + CALLBACK,
        frozenset[str]().union(*(one.groups for one in config.server.audiences)),
        _make_context(config.ca_file),
    )


def _make_context(ca_file: Path | None) -> ssl.SSLContext:
    """Makes a context that trusts the system's authorities, and the company's."""
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:
            raise EngineError(f"ca_file: {ca_file} cannot be read: {error.strerror}") from error
    return context
