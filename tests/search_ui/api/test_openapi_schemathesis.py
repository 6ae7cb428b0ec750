"""Requests that another's program makes up from the description of the API, sent to a real search."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.database import RECRAWL, write_side
from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.store import parse_target
from engine.submission import add_token
from search_ui.app import create_app
from tests.crawling import HOST
from tests.engine.index.source import Memory, corpus
from tests.search_ui.conftest import IDENTITY, answering, submissions_of
from tests.search_ui.schemathesis_run import MOST_SECONDS, run_schemathesis

# It takes an empty field (page=) for a wrong one. Here that is a field left out, as templates of OpenSearch
# leave it; what else is wrong is refused, which test_openapi.py holds.
NOT_HELD = "negative_data_rejection"
# 422 is what the operator's rules refuse, such as an address in a private network: no schema can say that.
ACCEPTED = """[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 422, 429, "5xx"]
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a search, and a token for its recrawls."""
    folder = tmp_path_factory.mktemp("index")
    Follower(Memory(*corpus(130)), folder).catch_up()
    with closing(SearchService(folder)) as search:
        submissions = submissions_of(folder)
        app = create_app(search, lambda: None, IDENTITY, submissions=submissions)
        with answering(app) as client:
            with write_side(folder, RECRAWL) as ledger:
                token = add_token(ledger, "schemathesis", [parse_target(HOST)], 1_000, 0.0)
            yield str(client.base_url).rstrip("/"), token
        submissions.close()


@pytest.mark.slow
@pytest.mark.timeout(MOST_SECONDS)  # it takes ten; on a busy machine two minutes were too few
@pytest.mark.parametrize(
    ("phases", "examples", "least"),
    [
        ("fuzzing", 8, 25),
        pytest.param("examples,coverage,fuzzing", 800, 2_000, marks=pytest.mark.long),
    ],
)
def test_the_api_does_what_its_description_says(
    asked: tuple[str, str], tmp_path: Path, phases: str, examples: int, least: int
) -> None:
    """Status, type, shape, Allow of every answer; nothing that is right refused, nothing without a token."""
    address, token = asked
    options = ["--exclude-checks", NOT_HELD, "--header", f"Authorization: Bearer {token}"]
    (tmp_path / "schemathesis.toml").write_text(ACCEPTED, encoding="utf-8")
    made_up = run_schemathesis(tmp_path, f"{address}/api/openapi.json", phases, examples, *options)
    assert made_up >= least
