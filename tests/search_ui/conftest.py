"""A served application over a searcher that answers by the words typed."""

import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from engine.config import load_config
from engine.errors import EngineError, IndexMissing
from engine.index.indexing.follow import Follower
from engine.index.searching.url_explanation import RankExplanation
from engine.index.snippets.text_copy import NoCopy, TextCopy
from engine.middleware.identity import Identity
from engine.model.hit import Hit
from engine.model.narrowing import NO_FILTERS, Facets, SearchFilters
from engine.model.note import Note, NoteKind
from engine.model.page import Results
from engine.monitor.progress import Progress
from engine.search.search import SearchService
from engine.submission import SubmissionService
from engine.suggest import pins
from engine.suggest.completing import Completion
from engine.suggest.failing_terms import FailingClauses
from search_ui.app import create_app, uvicorn_config
from search_ui.server.connections import ConnectionLimiter
from tests.engine.commands.test_submit import TOML
from tests.engine.index.source import Memory
from tests.search_ui.hit_corpus import PAGES, PINNED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Error, Page

IDENTITY = Identity("owner@crawl.example", "https://search.example")
CRAWL = Progress(running=True, pages=1_204, queued=880, errors=3, per_second=4.0)
START_SECONDS = 60.0  # for what happens at once; a busy machine may stall for long
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


PLAIN = Hit(
    url="https://docs.example.org/guide/page-1.html",
    title="Page 1",
    snippet="A spider waits in its burrow.",
    score=12.5,
    inlinks=3,
    language="en",
    fetched_at="2026-05-02T10:20:30+00:00",
    marks=[(2, 8)],
)
TWENTY_FIVE = [
    replace(PLAIN, url=f"https://docs.example.org/guide/page-{number}.html", title=f"Page {number}")
    for number in range(1, 26)
]


NOTHING_TO_CHOOSE = Facets({})


@dataclass
class Searcher:
    """25 hits for any words, but for those in `known`; the rest of its behaviour is asked for by word."""

    known: dict[str, Sequence[Hit]] = field(default_factory=dict)
    started: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    remembered: list[tuple[str, int]] = field(default_factory=list)
    folded: list[bool] = field(default_factory=list)
    ranks: dict[str, RankExplanation] = field(default_factory=dict)
    facets: Facets = NOTHING_TO_CHOOSE
    meant: dict[str, str] = field(default_factory=dict)  # what "did you mean" offers, by what was typed
    is_missing: bool = False
    is_damaged: bool = False

    def search(
        self, typed: str, page: int = 1, size: int = 10, fold: bool = True, choice: SearchFilters = NO_FILTERS
    ) -> Results:
        self.folded.append(fold)
        if typed == "missing":
            raise IndexMissing("no index")
        if typed == "broken":
            raise RuntimeError("a secret of ours")
        if typed == "damaged":
            raise EngineError("index/g000001 is damaged")
        if typed == "wait":
            self.started.set()
            self.go_on.wait(START_SECONDS)
        hits = self.known.get(typed, TWENTY_FIVE)
        notes = (Note(NoteKind.PARTIAL_MATCHES),) if typed == "noted" else ()
        shown, facets = hits[(page - 1) * size : page * size], self.facets if choice.with_facets else None
        meant = self.meant.get(typed, "")
        return Results(typed, len(hits), page, size, 12.3, shown, notes, meant, choice=choice, facets=facets)

    def complete(self, typed: str) -> list[Completion]:
        if typed == "missing":
            raise IndexMissing("no index")
        return [Completion(f"{typed} {title}") for title in ("one", "two")] if typed else []

    def explain(self, url: str, typed: str) -> RankExplanation | None:
        if typed == "missing":
            raise IndexMissing("no index")
        return self.ranks.get(url)

    def count_documents(self) -> int:
        if self.is_missing:
            raise IndexMissing("no index")
        return 25

    def list_damage(self) -> list[str]:
        return ["index/g000001/MAIN_1.arrays is damaged"] if self.is_damaged else []

    def indexed_until(self) -> float:
        return 5_000.0

    def copy_text(self, url: str, typed: str) -> TextCopy | NoCopy:
        return NoCopy.UNKNOWN

    def find_failing_clauses(self, typed: str) -> FailingClauses:
        return FailingClauses()

    def record_query(self, typed: str, total: int, client: Hashable) -> None:
        self.remembered.append((typed, total))


@dataclass
class Site:
    """A running server, what stands behind it, and a client of it."""

    client: httpx.Client
    searcher: Searcher
    crawl: Progress | None = None
    routes: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        return str(self.client.base_url).rstrip("/")

    def get(self, target: str, method: str = "GET") -> httpx.Response:
        return self.client.request(method, target)

    def post(self, body: bytes) -> httpx.Response:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.client.post("/search", content=body, headers=form)


@contextmanager
def answering(
    app: Starlette, places: ConnectionLimiter | None = None, root_path: str = "", port: int = 0
) -> Iterator[httpx.Client]:
    """A client of a server over an application, in a thread."""
    server = uvicorn.Server(uvicorn_config(app, "127.0.0.1", port, places, root_path))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + START_SECONDS
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        with httpx.Client(base_url=address, timeout=START_SECONDS, trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


def submissions_of(folder: Path) -> SubmissionService:
    """Where submissions to a data folder of test_submit.TOML are taken in; nothing is indexed."""
    (folder / "crawl.toml").write_text(TOML, encoding="utf-8")
    return SubmissionService(
        load_config({"DATA_DIR": folder, "CRAWL_TOML": folder / "crawl.toml"}), lambda _: False
    )


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    searcher = Searcher()
    site = Site(httpx.Client(), searcher)
    submissions = submissions_of(tmp_path_factory.mktemp("submissions"))
    app = create_app(searcher, lambda: site.crawl, IDENTITY, submissions=submissions)
    site.routes = {route.path for route in app.routes if isinstance(route, Route)}
    with answering(app) as site.client:
        yield site
    submissions.close()


@pytest.fixture
def site(served: Site) -> Site:
    """The server as if it had just started: nothing known, nothing crawling."""
    served.crawl = None
    served.searcher.known = {"nothing": []}
    served.searcher.facets = NOTHING_TO_CHOOSE
    return served


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def without_complaints(tab: "Page") -> Iterator["Page"]:
    """A complaint in its console, such as a breach of the policy, fails the test."""
    complaints: list[str] = []

    def hear(message: "ConsoleMessage | Error") -> None:
        complaints.append(message.text if hasattr(message, "text") else str(message))

    tab.on("console", hear)
    tab.on("pageerror", hear)
    yield tab
    tab.goto("about:blank")
    tab.remove_listener("console", hear)
    tab.remove_listener("pageerror", hear)
    assert [text for text in complaints if "status of 503" not in text] == []


@pytest.fixture(scope="module")
def used_tab(browser: "Browser", served: Site) -> Iterator["Page"]:
    context = browser.new_context(base_url=served.address)
    yield context.new_page()
    context.close()


@pytest.fixture
def tab(used_tab: "Page", site: Site) -> Iterator["Page"]:
    """An empty tab that others of the module have had, since a new one is a new process.

    It gets the size of its window back; who changes more of it takes `new_tab`.
    """
    size = used_tab.viewport_size
    with without_complaints(used_tab):
        yield used_tab
    if size and used_tab.viewport_size != size:
        used_tab.set_viewport_size(size)


@pytest.fixture
def new_tab(browser: "Browser", site: Site) -> Iterator["Page"]:
    """An empty tab with a clock and a memory of its own."""
    context = browser.new_context(base_url=site.address)
    with without_complaints(context.new_page()) as tab:
        yield tab
    context.close()


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server over a real index of tests.search_ui.hit_corpus."""
    folder: Path = tmp_path_factory.mktemp("hit_pages")
    Follower(Memory(*PAGES), folder).catch_up()
    (folder / pins.FILE).write_text(f"rare words\t{PINNED.url}\n")
    with (
        closing(SearchService(folder)) as search,
        answering(create_app(search, lambda: None, IDENTITY)) as client,
    ):
        yield client
