"""Files that are damaged while the search page runs: one sentence says it, and what is whole goes on."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from engine import generations
from engine.index.indexing.follow import Follower
from engine.store.page_store import Store
from tests.engine.index.source import Memory, page
from tests.running import WAIT_SECONDS, running, scrapy, serving, until

HARM: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b"no database " * 5_000), "another file"),
    (lambda path: path.write_bytes(path.read_bytes()[:6_000]), "cut off"),
    (lambda path: path.write_bytes(b""), "empty, as after a cut of the power"),
    (lambda path: path.write_bytes(bytes(path.stat().st_size)), "zeros"),
    (lambda path: path.unlink(), "gone"),
]
SUBMIT = "/submit?url=http://q.example/a"
DAMAGED = "the crawl database cannot be read: 'scrapy check' says what is damaged"
PAGE = page("http://a.example/", "amber")
OTHERS = ("/", "/search?q=amber", "/api/search?q=amber", "/robot", "/submit", "/health/ready")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a page in its index, and a crawl database of its own."""
    Store(tmp_path).engine.dispose()
    Follower(Memory(PAGE), tmp_path).catch_up()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "why"),
    [
        pytest.param(*row, marks=[pytest.mark.long] if at > 1 else [], id=row[1])
        for at, row in enumerate(HARM)
    ],
)
def test_a_search_page_goes_on_without_it(data: Path, harm: Callable[[Path], object], why: str) -> None:
    path = data / "crawl.db"
    with running(data, "serve", "--port", "0") as process:
        assert process.stdout
        address = process.stdout.readline().split(" at ")[1].split(" ")[0]
        browser = {"Accept": "text/html"}
        with httpx.Client(base_url=address, headers=browser, timeout=WAIT_SECONDS, trust_env=False) as client:
            assert client.get(SUBMIT).status_code == 200
            assert client.get("/health").text == "ok"
            whole = path.read_bytes()
            harm(path)
            answers = [client.get(SUBMIT), client.post("/api/submit", data={"url": "http://q.example/b"})]
            assert [one.status_code for one in answers] == [503, 503], why
            assert all("scrapy check" in one.text for one in answers)
            assert [client.get(other).status_code for other in OTHERS] == [200] * len(OTHERS)
            assert "a.example" in client.get("/search?q=amber").text
            wait_for(client, DAMAGED)
            assert "lycosa_crawl_database_unreadable 1\n" in client.get("/metrics").text
            path.write_bytes(whole)  # a backup
            wait_for(client, "ok")
            assert client.get(SUBMIT).status_code == 200
        process.kill()
        said = process.stdout.read()
    assert "Traceback" not in said, said
    assert sum("crawl.db" in line for line in said.splitlines()) == 1, said


def wait_for(client: httpx.Client, said: str) -> None:
    """Until /health says this; it looks once a second."""
    until(lambda: client.get("/health").text == said, said)


def test_a_search_page_begins_without_it(data: Path) -> None:
    """A restart must not end what a damaged file has not ended."""
    path = data / "crawl.db"
    path.write_bytes(b"no database " * 5_000)
    with (
        serving(data) as address,
        httpx.Client(base_url=address, timeout=WAIT_SECONDS, trust_env=False) as client,
    ):
        assert "a.example" in client.get("/search?q=amber").text
        assert client.get(SUBMIT).status_code == 503
        wait_for(client, DAMAGED)
    assert "crawl.db" in scrapy(data, "check", code=1).stdout


PART = "a part of the index is damaged: 'scrapy rebuild' makes a new one"


@pytest.mark.slow
def test_who_watches_hears_of_a_damaged_segment(data: Path) -> None:
    """Nobody searches, nobody follows the crawl; then somebody does, which makes the index afresh."""
    generation = generations.current_generation(data)
    assert generation
    with running(data, "serve", "--port", "0") as process:
        assert process.stdout
        address = process.stdout.readline().split(" at ")[1].split(" ")[0]
        with httpx.Client(base_url=address, timeout=WAIT_SECONDS, trust_env=False) as client:
            wait_for(client, "ok")
            for path in generation.path.glob("*.arrays"):
                with path.open("r+b") as file:
                    file.seek(100)
                    file.write(b"??")
            wait_for(client, PART)
            assert "lycosa_index_damaged_files 1\n" in client.get("/metrics").text
            assert "damaged" in client.get("/search?q=amber").text
            assert client.get("/health").text == PART
            Follower(Memory(PAGE), data).catch_up()
            wait_for(client, "ok")
            assert "a.example" in client.get("/search?q=amber").text
        process.kill()
        said = process.stdout.read()
    assert "Traceback" not in said, said
    assert sum("is damaged" in line for line in said.splitlines()) == 1, said
