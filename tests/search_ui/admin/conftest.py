"""The operator's pages over a real data folder, asked without a socket or served."""

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.applications import Starlette

from engine.admin import OperatorServices, passwords, save_password
from engine.config import Config, ServerConfig, load_config
from engine.middleware.identity import Identity
from search_ui.app import create_app
from tests.cheap_hash import CHEAP
from tests.crawling import states
from tests.search_ui.admin.full_folder import fill, read_config
from tests.search_ui.conftest import Searcher, answering

PASSWORD = "eight legs and eyes"
NOTHING: Mapping[str, str] = {}
HERE = "http://127.0.0.1:8000"


@dataclass
class Operator:
    """A browser of the operator: it keeps cookies, and sends what browsers send with a form."""

    app: Starlette
    peer: str = "127.0.0.1"
    base: str = HERE
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)

    folder: Path = Path()

    def states(self) -> dict[str, str]:
        """State of every URL that is known."""
        return {url: state for url, (state, _) in states(self.folder).items()}

    def restarted(self) -> "Operator":
        """A browser in a session of a server that has read crawl.toml anew."""
        again = Operator(make_app(read_config(self.folder)), folder=self.folder)
        again.log_in()
        return again

    def get(self, target: str, headers: Mapping[str, str] = NOTHING) -> httpx.Response:
        return self.ask("GET", target, headers)

    def post(
        self, target: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Sends a form, as from a page of ours if no headers say otherwise."""
        own = {"Sec-Fetch-Site": "same-origin"}
        return self.ask("POST", target, own if headers is None else headers, fields)

    def log_in(self, password: str = PASSWORD) -> httpx.Response:
        return self.post("/admin/login", {"password": password})

    def token(self, target: str = "/admin/audit") -> str:
        """The token of the forms on a page."""
        (token, *_) = LexborHTMLParser(self.get(target).text).css("input[name=token]")
        return token.attributes["value"] or ""

    def act(self, page: str, **fields: str) -> httpx.Response:
        """Sends a form with the token of its page."""
        return self.post(page, {**fields, "token": self.token(page)})

    def ask(
        self, method: str, target: str, headers: Mapping[str, str], fields: Mapping[str, str] | None = None
    ) -> httpx.Response:
        return anyio.run(self._ask, method, target, headers, fields)

    async def _ask(
        self, method: str, target: str, headers: Mapping[str, str], fields: Mapping[str, str] | None
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True, client=(self.peer, 40_000))
        client = httpx.AsyncClient(transport=transport, base_url=self.base, cookies=self.cookies)
        async with client:
            answer = await client.request(method, target, headers=headers, data=fields)
            self.cookies = httpx.Cookies(client.cookies)
            return answer


def make_app(config: Config, serving: ServerConfig = ServerConfig(), public_url: str = "") -> Starlette:
    services = OperatorServices(config=config)
    identity = Identity("owner@crawl.example", public_url)
    return create_app(Searcher(), lambda: None, identity, serving, services=services)


@contextmanager
def served_admin(data: Path) -> Iterator[httpx.Client]:
    """A server of the operator's pages over such a folder."""
    config = fill(data)
    save_password(data, PASSWORD, time.time(), "")
    with answering(make_app(config)) as client:
        yield client


@pytest.fixture(autouse=True)
def _cheap_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """A login takes no 0.16 s of processor time; what a hash is worth is asked in tests/engine/admin."""
    monkeypatch.setattr(passwords, "_HASHER", CHEAP)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A data folder with a password, and nothing else."""
    data = tmp_path / "data"
    data.mkdir()
    save_password(data, PASSWORD, 0, "")
    return load_config({"DATA_DIR": data, "CRAWL_TOML": tmp_path / "crawl.toml"})


@pytest.fixture
def operator(config: Config) -> Operator:
    """A browser of this machine, not logged in."""
    return Operator(make_app(config))


@pytest.fixture
def inside(operator: Operator) -> Operator:
    """The same, logged in."""
    assert operator.log_in().status_code == 303
    return operator


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which everything has happened, to be copied."""
    return fill(tmp_path_factory.mktemp("filled")).data_dir


@pytest.fixture
def full(tmp_path: Path, filled: Path) -> Operator:
    """Logged in over a copy of it."""
    folder = tmp_path / "full"
    shutil.copytree(filled, folder)
    save_password(folder, PASSWORD, 0, "")
    operator = Operator(make_app(read_config(folder)), folder=folder)
    operator.log_in()
    return operator
