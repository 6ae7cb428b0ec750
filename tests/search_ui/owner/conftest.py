"""A site on loopback, a Lycosa that knows it, and the browser of its owner."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.config import Config
from engine.ownership.mark import file_path, file_text, make_key, make_value
from tests.engine.ownership.asking import configured
from tests.search_ui.admin.conftest import HERE, Operator, make_app
from tests.web.scripted import Answer, Site, html, scripted_web


@dataclass
class Owner(Operator):
    """The browser of somebody who says that a host is his."""

    host: str = ""
    key: str = ""

    def prove(self, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Has the host checked for the key."""
        return self.post("/owner/check", {"host": self.host, "key": self.key}, headers)

    @property
    def path(self) -> str:
        """Where the pages of the host begin."""
        return f"/owner/{self.host.replace('://', '/')}"


def show(site: Site, key: str) -> None:
    """Puts the value of a key on a site."""
    value = make_value(site.url(""), key)
    site.routes[file_path(value)] = Answer(200, file_text(value), {"Content-Type": "text/plain"})


def main_text(answer: httpx.Response) -> str:
    """What the main part of a page says, in one line."""
    main = LexborHTMLParser(answer.text).css_first("main")
    return " ".join(main.text(separator=" ").split()) if main else ""


@pytest.fixture
def site() -> Iterator[Site]:
    with scripted_web({"/": html("Home")}, "127.31.7.2") as running:
        yield running


@pytest.fixture
def owned(tmp_path: Path, site: Site) -> Config:
    return configured(tmp_path, site, "http://other.example/")


@pytest.fixture
def owner(owned: Config, site: Site) -> Owner:
    """A browser that has no session yet, and a key that the site shows."""
    key = make_key()
    show(site, key)
    return Owner(make_app(owned), base=HERE, host=site.url(""), key=key)


@pytest.fixture
def inside(owner: Owner) -> Owner:
    """The same, let in."""
    assert owner.prove().status_code == 303
    return owner
