"""What people asked is offered to others once several of them did."""

import time
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path

from engine.config import ServerConfig
from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.suggest.past_queries import FILE, PastQueries
from search_ui.app import create_app
from tests.engine.index.source import Memory
from tests.search_ui.conftest import IDENTITY, answering
from tests.search_ui.hit_corpus import PAGES


def test_queries_of_three_networks_are_offered(tmp_path: Path) -> None:
    """Not what one asked a hundred times, from whatever address of its own."""
    Follower(Memory(*PAGES), tmp_path).catch_up()
    serving = ServerConfig(requests_per_second=0, trusted_proxies=(ip_network("127.0.0.1"),))
    past = PastQueries(tmp_path / FILE, time.time)
    with (
        closing(SearchService(tmp_path, past=past)) as search,
        answering(create_app(search, lambda: None, IDENTITY, serving)) as client,
    ):
        for source in [*(f"2001:db8::{n}" for n in range(9)), "198.51.100.1", "198.51.100.2"]:
            assert past.find_beginning("amb") == [], source
            headers = {"Sec-Fetch-Site": "none", "X-Forwarded-For": source}
            assert client.get("/search?q=amber", headers=headers).status_code == 200
        assert [one.name for one in past.find_beginning("amb")] == ["amber"]
