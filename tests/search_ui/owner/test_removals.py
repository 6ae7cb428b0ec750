"""An owner removes pages of the own host, gets a receipt, and undoes it; nobody removes those of others."""

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from engine.config import Config
from engine.database import OWNERS, write_side
from engine.ownership import owner_removals
from engine.ownership.mark import make_value
from engine.ownership.proofs import save_proof
from engine.search import SearchService
from engine.store import Block, Store, load_blocks
from search_ui.admin import make_token
from tests.crawling import HOST, states
from tests.search_ui.admin.conftest import make_app
from tests.search_ui.owner.conftest import Owner, main_text
from tests.search_ui.owner.full_site import KEY, OTHER, fill


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return fill(tmp_path / "data")


@pytest.fixture
def inside(config: Config) -> Owner:
    owner = Owner(make_app(config), host=HOST, key=KEY, folder=config.data_dir)
    owner.prove()
    return owner


def act(owner: Owner, **fields: str) -> httpx.Response:
    return owner.act(f"{owner.path}/removals", **fields)


def in_force(config: Config) -> list[str]:
    with closing(Store(config.data_dir)) as store, store.engine.connect() as connection:
        return [block.target.text for block in load_blocks(connection) if block.undone_at is None]


def found(config: Config, url: str) -> bool:
    with closing(SearchService(config.data_dir)) as search:
        return search.contains(url)


@pytest.mark.requirement(285, 286)
def test_a_receipt_and_the_way_back(config: Config, inside: Owner) -> None:
    assert found(config, f"{HOST}/one")
    done = act(inside, target="/o*")
    assert (done.status_code, done.headers["location"]) == (303, f"{inside.path}/removals?done=3")
    receipt = main_text(inside.get(done.headers["location"]))
    assert f"Removal 3 {HOST}/o*" in receipt
    assert "Pages that left the search: 1. It stays removed until you undo it." in receipt
    assert not found(config, f"{HOST}/one")
    assert f"{HOST}/two" not in in_force(config)
    assert "owner of" in str([block.contact for block in blocks(config)])
    undone = act(inside, number="3")
    assert "Undone" in main_text(inside.get(undone.headers["location"]))
    assert states(config.data_dir)[f"{HOST}/one"][0] == "queued"
    assert act(inside, number="3").status_code == 422, "once"


def blocks(config: Config) -> list[Block]:
    with closing(Store(config.data_dir)) as store, store.engine.connect() as connection:
        return load_blocks(connection)


def test_only_own_removals_are_listed_and_undone(config: Config, inside: Owner) -> None:
    page = main_text(inside.get(f"{inside.path}/removals?done=2"))
    assert f"{HOST}/old/*" in page
    assert OTHER not in page
    for number in ("2", "9", "0", "-1", "1e3", "x" * 20):
        answer = act(inside, number=number)
        assert answer.status_code == 422
    assert f"{OTHER}/old/" in in_force(config), "the operator's, and of another host"


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [f"{OTHER}/gone", f"{OTHER}/*", OTHER, "other.example", "h.example", "https://h.example/", "", "*"],
)
def test_pages_of_others_stay(config: Config, inside: Owner, target: str) -> None:
    before = in_force(config)
    answer = act(inside, target=target)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert in_force(config) == before


def test_nobody_else_removes_them(config: Config, inside: Owner) -> None:
    """Stolen and forged tokens, other sites, no session, a session of another host."""
    before, fields = in_force(config), {"target": "/o*"}
    path, token = f"{inside.path}/removals", inside.token(f"{inside.path}/removals")
    stranger, other = Owner(make_app(config), host=HOST), Owner(make_app(config), host=OTHER, key=KEY)
    with write_side(config.data_dir, OWNERS) as connection:
        save_proof(connection, OTHER, make_value(OTHER, KEY), 4_000_000_000.0)
    assert other.prove().status_code == 303
    others_token = other.token(f"{other.path}/removals")
    cross = {"Sec-Fetch-Site": "cross-site"}
    answers = [
        (stranger.post(path, {**fields, "token": token}), 303),
        (other.post(path, {**fields, "token": others_token}), 303),
        (other.post(f"{other.path}/removals", {"target": f"{HOST}/o*", "token": others_token}), 422),
        (inside.post(path, {**fields, "token": others_token}), 403),
        (inside.post(path, {**fields, "token": make_token("x")}), 403),
        (inside.post(path, {**fields, "token": ""}), 403),
        (inside.post(path, fields), 403),
        (inside.post(path, {**fields, "token": token}, cross), 403),
        (inside.post(path, {**fields, "token": token}, {"Origin": "https://evil.example"}), 403),
        (inside.get(f"{path}?target=/o*&token={token}"), 200),
        (other.post(f"{other.path}/removals", {"number": "1", "token": others_token}), 422),
    ]
    assert [
        (answer.status_code, expected) for answer, expected in answers if answer.status_code != expected
    ] == []
    assert in_force(config) == before
    assert found(config, f"{HOST}/one")


def test_there_is_an_end(inside: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner_removals, "MAX_REMOVALS", 1)
    assert "Write to the operator" in main_text(act(inside, target="/o*"))


def test_what_was_typed_stays_where_it_is_refused(inside: Owner) -> None:
    answer = act(inside, target='http://x.example/"><script>alert(1)</script>')
    assert "<script>alert" not in answer.text
    assert "x.example" in answer.text
