"""A search page for the boxes of other sites."""

from collections.abc import Iterator

import pytest

from engine.config import ServerConfig
from search_ui.app import create_app
from tests.search_ui.conftest import IDENTITY, Searcher, Site, answering


@pytest.fixture(scope="module")
def shared() -> Iterator[Site]:
    """A server that lets the scripts of every site read its answers."""
    searcher = Searcher()
    app = create_app(searcher, lambda: None, IDENTITY, ServerConfig(cors_origins=("*",)))
    with answering(app) as client:
        yield Site(client, searcher)
