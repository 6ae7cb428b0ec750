"""Loads a judged collection: documents, links between them, queries, and relevance judgements.

    docs.jsonl   {"id": "7", "title": "...", "text": "...", more fields}, one object a line
    queries.tsv  query id TAB plain words
    qrels.tsv    query id TAB document id TAB grade; above 0: relevant; pairs not listed are not
    links.tsv    document id TAB document id TAB anchor text; may be missing, the anchor text too

Each file may be gzipped, its name then ends in .gz. UTF-8. Where an id comes again, the last line holds.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from engine.errors import EngineError
from engine.model import Link, Page, Section
from engine.text.language import detect_language
from engine.url import canonicalize

BASE = "http://evaluate.invalid/"  # RFC 2606, 2: a name that cannot exist
MAX_QUERIES = 1_200  # the first by id: enough for two digits of a measure, and answered within seconds
# What has a place of its own on a page; words of other fields are furniture, such as an author's name.
PLACED = frozenset(["id", "url", "title", "headings", "text", "description", "keywords", "language"])

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Collection:
    """Pages by document id; queries and grades by query id. As large in memory as the files, twice over."""

    pages: Mapping[str, Page]
    queries: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]


def load_collection(folder: Path) -> Collection:
    """Loads the collection in a folder: its first MAX_QUERIES queries that have a relevant document.

    Raises EngineError for a missing file, or with the number of a line that is not as it should be.
    """
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in read_rows(folder, "qrels.tsv", _grade):
        grades.setdefault(query, {})[document] = grade
    typed = dict(read_rows(folder, "queries.tsv", _pair))
    queries = {
        query: typed[query] for query in select_queries(typed) if max(grades.get(query, {"": 0}).values()) > 0
    }
    if not queries:
        raise EngineError(
            f"no query of {folder} has a relevant document: qrels.tsv goes by ids of queries.tsv"
        )
    return Collection(_pages(folder), queries, grades)


def select_queries(queries: Mapping[str, object]) -> list[str]:
    """Selects the first MAX_QUERIES query ids: by number where all ids are numbers, else as text."""
    if all(query.isdecimal() for query in queries):
        return sorted(queries, key=lambda query: (int(query), query))[:MAX_QUERIES]
    return sorted(queries)[:MAX_QUERIES]


def page_of(document: Mapping[str, str], links: Sequence[Link] = ()) -> Page:
    """Makes a page of a document, as a crawl would have read it.

    Its text has the language that it is found to be in. Its URL is its id, in the fragment: only
    a URL that is given as `url` lends its words to the path.
    """
    text, headings = document.get("text", ""), document.get("headings", "").split(" | ")
    return Page(
        url_of(document),
        title=document.get("title", ""),
        description=document.get("description", ""),
        keywords=document.get("keywords", ""),
        language=detect_language(document.get("language", ""), text or document.get("title", "")),
        sections=(Section("", "", text), *(Section(heading, "", "") for heading in headings if heading)),
        rest="\n".join(value for name, value in document.items() if name not in PLACED),
        links=links,
    )


def url_of(document: Mapping[str, str]) -> str:
    """Makes the URL of a document id, always the same. Raises ValueError when `url` is no http(s) URL."""
    return f"{canonicalize(document.get('url', ''), BASE)}#{quote(document['id'], safe='')}"


def read_rows(folder: Path, name: str, row: Callable[[str], T]) -> Iterator[T]:
    """Parses each line that is not empty with `row`.

    Raises EngineError for a missing file, and with the number of a line of which `row` raises ValueError.
    """
    path = path_of(folder, name)
    if path is None:
        raise EngineError(
            f"{folder / name} is missing: a collection has docs.jsonl, queries.tsv and qrels.tsv"
        )
    number = 0
    try:
        with _open(path) as file:
            for line in file:
                number += 1
                if text := line.rstrip("\r\n"):
                    yield row(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise EngineError(f"{path}, line {number}: no JSON object: {error}") from error
    except UnicodeDecodeError as error:
        raise EngineError(f"{path}, after line {number}: write it in UTF-8") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise EngineError(f"{path}, after line {number}: the compressed file is damaged: {error}") from error
    except ValueError as error:
        raise EngineError(f"{path}, line {number}: write {error}") from error


def path_of(folder: Path, name: str) -> Path | None:
    """Finds the file of this name, compressed or not."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _pages(folder: Path) -> dict[str, Page]:
    documents = {document["id"]: document for document in read_rows(folder, "docs.jsonl", _document)}
    urls = {name: url_of(document) for name, document in documents.items()}
    outlinks: dict[str, list[Link]] = {}
    if path_of(folder, "links.tsv"):
        for source, target, anchor in read_rows(folder, "links.tsv", _link):
            if target in urls:
                outlinks.setdefault(source, []).append(Link(urls[target], anchor))
    return {name: page_of(document, outlinks.get(name, ())) for name, document in documents.items()}


def _document(line: str) -> dict[str, str]:
    """Selects the text fields and the id, which may be a number."""
    document = json.loads(line)
    if not isinstance(document, dict) or not isinstance(document.get("id"), str | int):
        raise ValueError("an object with an id")
    texts = {
        name: _without_lone_surrogates(value) for name, value in document.items() if isinstance(value, str)
    }
    document = {**texts, "id": _without_lone_surrogates(str(document["id"]))}
    try:
        url_of(document)
    except ValueError as error:
        raise ValueError(f"a url that can be used: {error}") from error
    return document


def _without_lone_surrogates(text: str) -> str:
    """Replaces lone surrogates, which JSON can escape and UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()


def _pair(line: str) -> tuple[str, str]:
    query, tab, words = line.partition("\t")
    if not tab:
        raise ValueError("a query id, a tab, and the query")
    return query, words


def _grade(line: str) -> tuple[str, str, int]:
    try:
        query, document, grade = line.split("\t")
        return query, document, int(grade)
    except ValueError:
        raise ValueError("a query id, a document id and a whole number, with tabs between") from None


def _link(line: str) -> tuple[str, str, str]:
    source, tab, rest = line.partition("\t")
    target, _, anchor = rest.partition("\t")
    if not tab:
        raise ValueError("two document ids, with a tab between")
    return source, target, anchor


def _open(path: Path) -> TextIOWrapper:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="\n")
    return open(path, encoding="utf-8-sig", newline="\n")
