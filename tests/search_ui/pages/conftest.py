"""Search pages: for the boxes of other sites, and one with an honest provider at which people sign in."""

from collections.abc import Iterator

import httpx
import pytest

from engine.config import ServerConfig
from search_ui.app import create_app
from tests.search_ui.conftest import IDENTITY, Searcher, Site, answering
from tests.search_ui.signing_in import Searched, new_client, searched
from tests.web.openid import KEYS, sign_with


@pytest.fixture(scope="module")
def shared() -> Iterator[Site]:
    """A server that lets the scripts of every site read its answers."""
    searcher = Searcher()
    app = create_app(searcher, lambda: None, IDENTITY, ServerConfig(cors_origins=("*",)))
    with answering(app) as client:
        yield Site(client, searcher)


@pytest.fixture(scope="module")
def search_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searched]:
    with searched(tmp_path_factory.mktemp("sign_in")) as page:
        yield page


@pytest.fixture
def page(search_page: Searched) -> Searched:
    """The page, and an honest provider."""
    provider = search_page.provider
    provider.person = {"sub": "ada", "groups": ["staff", "printers"]}
    provider.lie, provider.discovery, provider.keys = {}, {}, KEYS[:1]
    provider.sign = sign_with(KEYS[0])
    provider.routes.clear()
    return search_page


@pytest.fixture
def browser_like(page: Searched) -> Iterator[httpx.Client]:
    with new_client(page) as client:
        yield client
