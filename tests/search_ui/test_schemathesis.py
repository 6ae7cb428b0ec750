"""Requests that another's program makes up from the description of the API, sent to a real search."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.index.follow import Follower
from engine.search import Search
from search_ui.app import create_app, uvicorn_config
from tests.index.source import Memory, corpus
from tests.search_ui.conftest import IDENTITY, serve

MOST_SECONDS = 1_800


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("index")
    Follower(Memory(*corpus(130)), folder).catch_up()
    with closing(Search(folder)) as search:
        app = create_app(search, lambda: None, IDENTITY)
        server, thread = serve(uvicorn_config(app, "127.0.0.1", 0))
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize(
    ("phases", "examples", "least"),
    [
        ("fuzzing", 10, 50),
        pytest.param("examples,coverage,fuzzing", 400, 2_000, marks=pytest.mark.long),
    ],
)
def test_the_api_does_what_its_description_says(
    address: str, tmp_path: Path, phases: str, examples: int, least: int
) -> None:
    """Status, type, shape and Allow of every answer; what is wrong refused, what is right not."""
    words = ["--phases", phases, "--max-examples", str(examples), "--seed", "8", "--warnings", "off"]
    line = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json", *words]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=MOST_SECONDS)
    assert done.returncode == 0, done.stdout[-5_000:]
    found = re.search(r"([0-9,]+) generated", done.stdout)
    assert found
    assert int(found[1].replace(",", "")) >= least
