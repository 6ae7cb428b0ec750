"""What people asked is offered to others once several of them did."""

import time
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path

import pytest

from engine.config import ServerConfig
from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.suggest.past_queries import FILE, UNANSWERED_FILE, PastQueries, load_most_asked
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
        closing(SearchService(tmp_path, past=[past])) as search,
        answering(create_app(search, lambda: None, IDENTITY, serving)) as client,
    ):
        for source in [*(f"2001:db8::{n}" for n in range(9)), "198.51.100.1", "203.0.113.2"]:
            assert past.find_beginning("amb") == [], source
            headers = {"Sec-Fetch-Site": "none", "X-Forwarded-For": source}
            assert client.get("/search?q=amber", headers=headers).status_code == 200
        assert [one.name for one in past.find_beginning("amb")] == ["amber"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "is_shown", "why"),
    [
        (["198.51.100.1"] * 9, False, "one address"),
        ([f"198.51.100.{number}" for number in range(9)], False, "one line's /24"),
        ([f"2001:db8::{number:x}" for number in range(9)], False, "one household's /64"),
        ([f"2001:db8:0:{number:x}::1" for number in range(9)], False, "one customer's /48"),
        (["198.51.100.1", "2001:db8::1"], False, "one person's two addresses"),
        (["127.0.0.1", "127.0.0.1", "198.51.100.1"], False, "the machine itself is one client"),
        (["198.51.100.1", "198.51.101.1", "203.0.113.1"], True, "three networks"),
        ([f"2001:db8:{number:x}::1" for number in range(3)], True, "three customers"),
        ([f"192.168.1.{number}" for number in range(1, 4)], True, "three people of an office"),
        ([f"fd00::{number}:0:0:0:1" for number in range(1, 4)], True, "three links of an office"),
    ],
)
def test_one_person_is_one_network(tmp_path: Path, sources: list[str], is_shown: bool, why: str) -> None:
    """Queries without hits, from whatever addresses one person has."""
    Follower(Memory(*PAGES), tmp_path).catch_up()
    serving = ServerConfig(requests_per_second=0, trusted_proxies=(ip_network("127.0.0.1"),))
    past = PastQueries(tmp_path / UNANSWERED_FILE, time.time, without_hits=True)
    with (
        closing(SearchService(tmp_path, past=[past])) as search,
        answering(create_app(search, lambda: None, IDENTITY, serving)) as client,
    ):
        for source in sources:
            headers = {"Sec-Fetch-Site": "none", "X-Forwarded-For": source}
            assert client.get("/search?q=zzyzx", headers=headers).status_code == 200
    found = load_most_asked(tmp_path / UNANSWERED_FILE, 10, 0.0)
    assert [one.typed for one in found] == ["zzyzx"] * is_shown, why
