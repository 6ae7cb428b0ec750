"""A search page at which people sign in, and its provider, both on loopback."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from engine.admin import OperatorServices
from engine.audience import View
from engine.config import Config, load_config
from engine.middleware.identity import Identity
from engine.search import SearchViews
from engine.search.search import SearchService
from search_ui.app import create_app
from tests.running import free_ports
from tests.search_ui.conftest import PLAIN, Searcher, answering
from tests.web.openid import SECRET, OpenIdSite

TOML = """
public_url = "{public_url}"
[oidc]
issuer = "{issuer}"
client_id = "lycosa"
secret_file = "{folder}/secret"
[serve]
requests_per_second = 0
cors_origins = ["https://friend.example"]
[[audience]]
name = "staff"
groups = ["staff"]
[[audience]]
name = "ada"
users = ["ada"]
[[site]]
seeds = ["http://hidden.example/"]
audience = "staff"
"""


class Searched(NamedTuple):
    """A search page whose hits say in which audiences one is; and its provider."""

    address: str
    provider: OpenIdSite
    config: Config


@contextmanager
def searched(folder: Path, port: int = 0) -> Iterator[Searched]:
    port = port or free_ports(1)
    address = f"http://127.0.0.1:{port}"
    (folder / "secret").write_text(f"{SECRET}\n")
    (folder / "secret").chmod(0o600)
    with OpenIdSite() as provider:
        toml = TOML.format(public_url=address, issuer=provider.issuer, folder=folder)
        (folder / "crawl.toml").write_text(toml, encoding="utf-8")
        config = load_config({"DATA_DIR": folder / "data", "CRAWL_TOML": folder / "crawl.toml"})
        identity = Identity("owner@crawl.example", address)
        services = OperatorServices(config=config)
        app = create_app(views(), lambda: None, identity, config.server, services=services)
        with answering(app, port=port):
            yield Searched(address, provider, config)


def views() -> SearchViews:
    def open_service(view: View) -> SearchService:
        named = " ".join(sorted(view.audiences or ())) or "everybody"
        service: Any = Searcher(known={"who": [replace(PLAIN, title=named)]})
        return service  # type: ignore[no-any-return]

    return SearchViews(open_service)


def new_client(page: Searched) -> httpx.Client:
    """Keeps cookies, and follows no redirect by itself."""
    return httpx.Client(base_url=page.address, trust_env=False, timeout=60)


def who(client: httpx.Client, headers: Mapping[str, str] | None = None) -> str:
    """The audiences that one is in, as the search page takes it."""
    hit: str = client.get("/api/search?q=who", headers=headers).json()["hits"][0]["title"]
    return hit


def come_back(client: httpx.Client, path: str = "/search?q=who") -> str:
    """Begins a sign-in, lets the provider let us in; the address to which it sends us back."""
    begun = client.get("/sign-in", params={"return": path})
    assert begun.status_code == 303, begun.text
    return client.get(begun.headers["location"]).headers["location"]


def sign_in(client: httpx.Client, path: str = "/search?q=who") -> httpx.Response:
    return client.get(come_back(client, path))
