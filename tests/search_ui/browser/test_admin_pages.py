"""The operator's pages in a real browser: for everybody, without scripts, and gone after logout."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.search_ui.admin.conftest import PASSWORD, served_admin
from tests.search_ui.browser.test_accessible import SCREENS, looked
from tests.search_ui.kinds import OF_OPERATOR, as_operator
from tests.web.scripted import html, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with served_admin(tmp_path_factory.mktemp("operated") / "data") as client:
        yield client


@pytest.fixture(scope="module")
def tab(browser: "Browser", operated: httpx.Client) -> Iterator["Page"]:
    tab = browser.new_page(base_url=str(operated.base_url))
    yield tab
    tab.close()


@pytest.fixture
def plain_tab(browser: "Browser", operated: httpx.Client) -> Iterator["Page"]:
    """A tab of its own, without scripts."""
    context = browser.new_context(base_url=str(operated.base_url), java_script_enabled=False)
    yield context.new_page()
    context.close()


SOME = ("operator: overview", "operator: hosts", "operator: log in")


@pytest.mark.parametrize(
    "name", [*SOME, *(pytest.param(name, marks=pytest.mark.long) for name in OF_OPERATOR if name not in SOME)]
)
def test_everybody_can_use_it(tab: "Page", name: str) -> None:
    assert looked(tab, OF_OPERATOR[name], SCREENS).violations == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320, "a phone scrolls in one direction"


def test_log_in_and_out_by_keyboard_without_scripts(plain_tab: "Page") -> None:
    """What was seen is gone then, also on the way back."""
    tab = plain_tab
    tab.goto("/admin")
    tab.locator("#password:focus").wait_for()
    tab.keyboard.type(PASSWORD)
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Overview").wait_for()
    tab.get_by_role("link", name="Audit log").click()
    tab.get_by_role("heading", name="Audit log").wait_for()
    tab.get_by_role("button", name="Log out").focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Log in").wait_for()
    for _ in range(2):
        tab.go_back()
        tab.get_by_role("heading", name="Log in").wait_for()
        assert tab.get_by_role("button", name="Log out").count() == 0


def test_nothing_of_a_stranger_runs(tab: "Page") -> None:
    """Addresses, errors and submissions of the folder try."""
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: dialogs.append(dialog.message))
    for steps in OF_OPERATOR.values():
        steps(tab)
        assert tab.locator("main script").count() == 0
    assert dialogs == []


@pytest.mark.parametrize(
    ("host", "heading", "why"),
    [
        ("localhost", "Log in", "another site: the browser keeps the cookie"),
        ("127.0.0.1", "Forbidden", "another port is the same site to it: we refuse the form"),
    ],
)
def test_a_page_of_another_origin_reaches_nothing(
    tab: "Page", operated: httpx.Client, host: str, heading: str, why: str
) -> None:
    as_operator("/admin")(tab)
    form = f"<form method='post' action='{operated.base_url}/admin/logout'><button>Win</button></form>"
    with scripted_web({"/": html("A game", form)}) as other:
        tab.goto(other.url("/").replace("127.0.0.1", host))
        tab.get_by_role("button", name="Win").click()
        tab.get_by_role("heading", name=heading).wait_for()
    tab.goto("/admin")
    assert tab.get_by_role("button", name="Log out").count() == 1, why
