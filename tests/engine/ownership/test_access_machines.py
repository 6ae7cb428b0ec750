"""Two machines with one server: who proved a host on the one page is its owner on the other."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.database import OWNERS, open_side, write_side
from engine.ownership import file_path, file_text, load_removals, make_key, make_value, save_removal
from tests.engine.ownership.asking import Now, access_to, configured, host_of_site
from tests.web.scripted import Answer, Site, html, scripted_web

pytestmark = pytest.mark.postgresql


@pytest.fixture
def site() -> Iterator[Site]:
    with scripted_web({"/": html("Home")}, "127.31.8.4") as running:
        yield running


def test_proofs_sessions_and_removals_are_shared(tmp_path: Path, database_url: str, site: Site) -> None:
    accesses = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        config = configured(tmp_path / name, site)
        accesses.append(access_to(dataclasses.replace(config, database_url=database_url), Now()))
    one, other = accesses
    host, key = host_of_site(site), make_key()
    value = make_value(host, key)
    site.routes[file_path(value)] = Answer(200, file_text(value), {"Content-Type": "text/plain"})
    session, _ = one.prove(host, key)
    assert other.list_hosts(session) == [host]
    asked = len(site.log)
    second, _ = other.prove(host, key, session)
    assert len(site.log) == asked, "it is known there that the host has shown it"
    assert (one.list_hosts(session), one.list_hosts(second)) == ([], [host])
    with write_side(one.config.database, OWNERS) as connection:
        save_removal(connection, host, 7, 12)
    with open_side(other.config.database, OWNERS) as connection:
        assert [*load_removals(connection, host)] == [7]
    other.log_out(second)
    assert one.list_hosts(second) == []
    assert not [*(tmp_path / "one/data").glob("*.db")]
