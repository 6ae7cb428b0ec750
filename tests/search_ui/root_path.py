"""A server below a path of another site, and the addresses in what it answers."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
from selectolax.lexbor import LexborHTMLParser

from engine.index.indexing.follow import Follower
from engine.middleware.identity import Identity
from engine.search.search import SearchService
from search_ui.app import create_app
from tests.engine.index.source import Memory
from tests.search_ui.conftest import answering, submissions_of
from tests.search_ui.hit_corpus import PAGES

ROOT_PATH = "/search"  # as our own page of results: the hardest path there is
_ADDRESSES = ("href", "src", "action", "formaction", "data-again", "poster")


@contextmanager
def below_a_path(folder: Path, public_url: str) -> Iterator[httpx.Client]:
    """A client of a server over a real index that is reached at this URL."""
    (folder / "data").mkdir()
    Follower(Memory(*PAGES), folder / "data").catch_up()
    submissions = submissions_of(folder)
    with closing(SearchService(folder / "data")) as search, closing(submissions):
        app = create_app(search, lambda: None, Identity("a@b.example", public_url), submissions=submissions)
        with answering(app) as client:
            yield client


def list_addresses(answer: httpx.Response, url: str) -> list[str]:
    """The whole addresses in an answer to a URL: of attributes in HTML, else of texts."""
    if not answer.headers["content-type"].startswith("text/html"):
        return re.findall(r"https?://[^\s\"'<>\\]+", answer.text)
    nodes = LexborHTMLParser(answer.text).css(",".join(f"[{name}]" for name in _ADDRESSES))
    found = [node.attributes.get(name) for node in nodes for name in _ADDRESSES]
    return [urljoin(url, value) for value in found if value and not value.isdigit()]


def is_below(url: str, public_url: str) -> bool:
    """Tells whether an address of our host is ours; of another host it is anybody's."""
    asked, ours = urlsplit(url), urlsplit(public_url)
    return asked.netloc != ours.netloc or url.startswith(f"{public_url}/")
