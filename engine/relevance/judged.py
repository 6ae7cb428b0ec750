"""Reads the operator's judged queries: queries and the pages that they should find."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from engine.errors import EngineError
from engine.relevance.collection import MAX_QUERIES, path_of, read_rows
from engine.url import canonicalize

FILE = "queries.tsv"


def read_judged_queries(data_dir: Path) -> Mapping[str, Mapping[str, int]]:
    """Reads the first MAX_QUERIES of queries.tsv: query -> grades by URL, all 1; {} without the file.

    Each line is a query, a tab, and URLs with spaces or tabs between. Raises EngineError with the
    number of a line that is not so.
    """
    if path_of(data_dir, FILE) is None:
        return {}
    found = dict(islice(read_rows(data_dir, FILE, _parse_line), MAX_QUERIES))
    if not found:
        raise EngineError(f"{data_dir / FILE} has no query; write a query, a tab and URLs on a line")
    return found


def _parse_line(line: str) -> tuple[str, dict[str, int]]:
    query, _, relevant = line.partition("\t")
    if not query.strip() or not relevant.split():
        raise ValueError("a query, a tab, and the URLs of relevant pages")
    try:
        return query, {canonicalize(url): 1 for url in relevant.split()}
    except ValueError as error:
        raise ValueError(f"URLs that can be used: {error}") from error
