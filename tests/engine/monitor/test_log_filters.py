"""What libraries log beside a crawl's own words is dropped, and nothing else of theirs."""

import logging
import sqlite3
from collections.abc import Callable

import pytest

from engine.monitor import is_no_certificate_error, is_no_database_error

Filter = Callable[[logging.LogRecord], bool]
RECORDS: list[tuple[Filter, str, Exception | None, bool, str]] = [
    (
        is_no_certificate_error,
        "while verifying certificate",
        None,
        False,
        "its site's fault, and counted",
    ),
    (is_no_certificate_error, "Unhandled error", None, True, "nobody else would tell it"),
    (is_no_database_error, "Error", sqlite3.DatabaseError(), False, "the crawl ends and says so in a line"),
    (is_no_database_error, "Error", KeyError("x"), True, "a fault of ours"),
    (is_no_database_error, "Scraped", None, True, "no error at all"),
]


@pytest.mark.parametrize(
    ("passes", "text", "error", "kept", "why"), RECORDS, ids=[row[-1] for row in RECORDS]
)
def test_log_filters(passes: Filter, text: str, error: Exception | None, kept: bool, why: str) -> None:
    info = (type(error), error, None) if error else None
    record = logging.LogRecord("x", logging.ERROR, "", 0, text, (), info)
    assert passes(record) is kept, why
