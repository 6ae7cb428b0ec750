"""What is said of what fails, and when to come again."""

from pathlib import Path

import pytest
from anyio import run
from starlette.exceptions import HTTPException

from engine.errors import DamagedError, EngineError, IndexMissing, Unreadable
from search_ui.rendering.problems import (
    DATABASE_UNREADABLE,
    INDEX_UNREADABLE,
    SERVER_AWAY,
    call_searcher,
    database_error,
)

LATER = {"Retry-After": "5"}
AWAY = Unreadable("postgresql://nobody@127.0.0.1:1/lycosa", "connection refused")
SEARCHES: list[tuple[EngineError, str, dict[str, str] | None, str]] = [
    (IndexMissing("none"), "Nothing is indexed yet.", None, "the operator has to begin"),
    (DamagedError(Path("index/g000001/form")), INDEX_UNREADABLE, None, "the operator has to rebuild it"),
    (EngineError("is of an older Lycosa"), INDEX_UNREADABLE, None, "the same"),
    (AWAY, SERVER_AWAY, LATER, "links of a graph on a server: nothing is damaged, and it may be back soon"),
]


@pytest.mark.parametrize(
    ("error", "detail", "headers", "why"), SEARCHES, ids=[type(row[0]).__name__ for row in SEARCHES]
)
def test_a_search_that_fails(
    error: EngineError, detail: str, headers: dict[str, str] | None, why: str
) -> None:
    def ask() -> None:
        raise error

    with pytest.raises(HTTPException) as failed:
        run(call_searcher, ask)
    assert failed.value.status_code == 503
    assert failed.value.detail.startswith(detail), why
    assert failed.value.headers == headers, why


@pytest.mark.parametrize(
    ("error", "detail", "headers", "why"),
    [
        (
            Unreadable(Path("crawl.db"), "cut off"),
            DATABASE_UNREADABLE,
            None,
            "a file: it does not mend itself",
        ),
        (AWAY, SERVER_AWAY, LATER, "what is checked then is the server, by who runs it"),
    ],
    ids=["file", "server"],
)
def test_a_database_that_fails(
    error: Unreadable, detail: str, headers: dict[str, str] | None, why: str
) -> None:
    made = database_error(error)
    assert (made.status_code, made.detail, made.headers) == (503, detail, headers), why
