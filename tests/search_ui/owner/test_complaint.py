"""A complaint: from the owner's page to the operator and back, with its pause."""

from pathlib import Path

import pytest

from engine.admin import save_password
from engine.complaints import load_open_complaints
from engine.config import Config
from engine.frontier import load_paused
from tests.crawling import HOST
from tests.search_ui.admin.conftest import PASSWORD, make_app
from tests.search_ui.owner.conftest import Owner, main_text
from tests.search_ui.owner.full_site import HOSTILE, KEY, OTHER, fill


@pytest.fixture
def config(tmp_path: Path) -> Config:
    config = fill(tmp_path / "data")
    save_password(config.data_dir, PASSWORD, 0, "")
    return config


@pytest.fixture
def inside(config: Config) -> Owner:
    owner = Owner(make_app(config), host=HOST, key=KEY)
    owner.prove()
    return owner


def shown(owner: Owner) -> str:
    return main_text(owner.get(f"{owner.path}/complaint"))


@pytest.mark.slow
@pytest.mark.requirement(279, 311)
def test_from_the_owner_to_the_operator_and_back(config: Config, inside: Owner) -> None:
    text = f"You ask too fast.\r\n{HOSTILE}"
    done = inside.act(f"{inside.path}/complaint", text=text, contact="me@h.example")
    assert (done.status_code, done.headers["location"]) == (303, f"{inside.path}/complaint")
    assert "is open You ask too fast." in shown(inside)
    assert "The host is paused: nothing is requested from it." in shown(inside)
    assert HOST in load_paused(config.data_dir)
    assert inside.log_in().status_code == 303
    page = inside.get("/admin/complaints")
    assert "You ask too fast." in page.text
    assert "me@h.example; the host is paused" in main_text(page)
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text
    inside.act("/admin/complaints", number="3", answer=f"Slower now.\n{HOSTILE}")
    assert "complaint closed" in main_text(inside.get("/admin/audit"))
    assert HOST not in load_paused(config.data_dir)
    assert "The answer: Slower now." in shown(inside)
    assert "<script>alert" not in inside.get(f"{inside.path}/complaint").text


@pytest.mark.slow
def test_visits_may_go_on(config: Config, inside: Owner) -> None:
    inside.act(f"{inside.path}/complaint", text="A typing error in a snippet.", goes_on="1")
    assert "Visits go on." in shown(inside)
    assert HOST not in load_paused(config.data_dir)


@pytest.mark.slow
def test_it_may_be_withdrawn_and_made_again(config: Config, inside: Owner) -> None:
    inside.act(f"{inside.path}/complaint", text="Too fast.")
    assert inside.act(f"{inside.path}/complaint", text="Again.").status_code == 422
    assert inside.act(f"{inside.path}/complaint", number="3").status_code == 303
    assert HOST not in load_paused(config.data_dir)
    assert [one.host for one in load_open_complaints(config.data_dir)] == [OTHER]
    assert inside.act(f"{inside.path}/complaint", text="Again.").status_code == 303


@pytest.mark.slow
@pytest.mark.parametrize("number", ["2", "1", "9", "0"])
def test_those_of_others_and_closed_ones_stay(config: Config, inside: Owner, number: str) -> None:
    assert inside.act(f"{inside.path}/complaint", number=number).status_code == 422
    assert [one.host for one in load_open_complaints(config.data_dir)] == [OTHER]
    assert "of another" not in shown(inside)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", " \n ", "x" * 2_001])
def test_what_is_refused(config: Config, inside: Owner, text: str) -> None:
    answer = inside.act(f"{inside.path}/complaint", text=text, contact="me@h.example")
    assert answer.status_code == 422
    assert "me@h.example" in answer.text, "what was typed is there still"
    assert len(load_open_complaints(config.data_dir)) == 1


def test_nobody_else_complains(config: Config, inside: Owner) -> None:
    path = f"{inside.path}/complaint"
    token = inside.token(path)
    fields = {"text": "x", "token": token}
    assert Owner(make_app(config)).post(path, fields).status_code == 303
    assert inside.post(path, fields, {"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert inside.post(path, {**fields, "token": f"x{token}"}).status_code == 403
    assert inside.post(path, {**fields, "text": "x" * 70_000}).status_code == 413
    assert len(load_open_complaints(config.data_dir)) == 1
