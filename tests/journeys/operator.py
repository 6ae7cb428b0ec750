"""The operator's pages in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.journeys.checkout import Checkout

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "eight legs and eyes"


@contextmanager
def logged_in(checkout: Checkout, browser: "Browser", address: str) -> Iterator["Page"]:
    """Set the password, which needs no restart, and log in; a tab with the overview."""
    checkout.scrapy("passwd", typed=f"{PASSWORD}\n")
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{address}/admin")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Log in").click()
    tab.get_by_role("heading", name="Overview").wait_for()
    yield tab
    context.close()
