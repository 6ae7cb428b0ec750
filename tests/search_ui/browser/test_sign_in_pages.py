"""A page behind a sign-in by OpenID Connect: found in a real browser, and gone after the sign-out."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.running import free_ports, running, scrapy
from tests.web.openid import SECRET, OpenIdSite
from tests.web.scripted import html, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

TOML = """
public_url = "{address}"
[oidc]
issuer = "{issuer}"
client_id = "lycosa"
secret_file = "{secret}"
[[audience]]
name = "staff"
groups = ["staff"]
[[site]]
seeds = ["{hidden}/"]
own = true
audience = "staff"
"""


@pytest.fixture(scope="module", params=["1", "2"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A search page of one process, and of two that share sessions; `scrapy serve` as an operator runs it."""
    data = tmp_path_factory.mktemp("sign_in")
    with ExitStack() as stack:
        provider = stack.enter_context(OpenIdSite())
        provider.asks = True
        site = stack.enter_context(scripted_web({"/": html("Plan of the cormorant", "<p>For us alone.</p>")}))
        address = f"http://127.0.0.1:{(port := free_ports(1))}"
        (data / "secret").write_text(SECRET)
        (data / "secret").chmod(0o600)
        toml = {"address": address, "issuer": provider.issuer, "secret": data / "secret"}
        (data / "crawl.toml").write_text(TOML.format(hidden=site.url("/").rstrip("/"), **toml))
        scrapy(data, "crawl", "web")
        workers = str(request.param)
        process = stack.enter_context(running(data, "serve", "--port", str(port), "--workers", workers))
        assert process.stdout
        process.stdout.readline()
        yield address


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def tab(request: pytest.FixtureRequest, browser: "Browser", address: str) -> Iterator["Page"]:
    context = browser.new_context(base_url=address, java_script_enabled=request.param)
    yield context.new_page()
    context.close()


def test_a_person_signs_in_finds_a_hidden_page_and_signs_out(tab: "Page") -> None:
    tab.goto("/search?q=cormorant")
    tab.get_by_text("No results").wait_for()
    tab.get_by_role("link", name="Sign in").click()
    tab.get_by_role("link", name="Go on as ada").click()
    tab.get_by_role("link", name="Plan of the cormorant").first.wait_for()
    assert tab.url.endswith("/search?q=cormorant"), "and is back where the sign-in began"
    for _ in range(4):  # whichever process answers
        tab.reload()
        tab.get_by_role("link", name="Plan of the cormorant").first.wait_for()
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("heading", name="Signed out").wait_for()
    tab.go_back()
    assert not tab.get_by_role("link", name="Plan of the cormorant").count(), "nothing was kept"
    tab.goto("/search?q=cormorant")
    tab.get_by_text("No results").wait_for()
    assert tab.get_by_role("link", name="Sign in").count() == 1


def test_the_provider_can_be_left_as_well(tab: "Page", address: str) -> None:
    tab.goto(f"/sign-in?return={quote('/search?q=cormorant')}")
    tab.get_by_role("link", name="Go on as ada").click()
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("link", name="Sign out of 127.0.0.1, too").click()
    tab.get_by_role("heading", name="Signed out here").wait_for()
