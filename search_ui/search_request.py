"""Parses a search request: form fields of the address or a posted body -> one frozen value."""

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qsl

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from engine.formats import FILETYPES
from engine.index.query import CHOICES
from engine.index.searching import RankExplanation
from engine.index.snippets import NoCopy, TextCopy
from engine.model import FILTER_FIELDS, NO_FILTERS, Message, Results, SearchFilters, Sort
from engine.suggest import Completion, FailingClauses
from engine.url import canonicalize

MAX_TYPED = 1_000  # characters; a long sentence has 300, the rest only costs work
MAX_DIGITS = 15  # of a number in a form; SQLite has 18
MAX_FIELDS = 32  # form fields; our forms have three
MAX_BODY_BYTES = 64 * 1024  # MAX_TYPED percent-encoded characters are 12 KiB
MAX_BODY_SECONDS = 10.0  # for a whole form to arrive
MAX_PAGE = 100  # pages of hits; nobody reads on, and depth costs the index work
MAX_SIZE = 100  # hits on one page of the API
PAGE_SIZE = 10  # hits on one page

MAX_CHOSEN = 300  # characters; the name of a host has 253 (RFC 1035, 2.3.4), its port six

_MEANT = {
    "label": Message("“label” must be a name that the operator gave to a group of sites."),
    "host": Message("“host” must be a host, such as docs.example.org."),
    "lang": Message("“lang” must be a language code, such as en."),
    "type": Message("“type” must be one of {types}.", types=", ".join(FILETYPES)),
    "after": Message("“after” must be a date: 2024, 2024-05 or 2024-05-01."),
}
FORM = "application/x-www-form-urlencoded"
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
# Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX 9): they mean
# nothing to a search and would turn round what stands beside them. U+200C is spelling, and stays.
_DIRECTION_CONTROLS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_UNTYPED = {**_CONTROLS, **_DIRECTION_CONTROLS}


class Searcher(Protocol):
    """Answers queries: `engine.search.SearchService` does, called from several threads at once."""

    def search(
        self,
        typed: str,
        page: int = 1,
        size: int = PAGE_SIZE,
        fold: bool = True,
        choice: SearchFilters = NO_FILTERS,
    ) -> Results:
        """Searches one page of hits; with `fold` few of each host are among the first.

        IndexMissing while there is nothing to search.
        """
        ...

    def complete(self, typed: str) -> list[Completion]:
        """Completes the beginning of a query, best first. Raises IndexMissing without an index."""
        ...

    def explain(self, url: str, typed: str) -> RankExplanation | None:
        """Explains the rank of a page; None if it is not indexed. Raises IndexMissing without an index."""
        ...

    def count_documents(self) -> int:
        """Counts the searchable documents. Raises IndexMissing, or EngineError if it cannot be read."""
        ...

    def list_damage(self) -> list[str]:
        """Lists damaged files of the index. Raises IndexMissing and EngineError likewise."""
        ...

    def indexed_until(self) -> float:
        """Returns when the index last caught up, in seconds since 1970. Raises IndexMissing."""
        ...

    def copy_text(self, url: str, typed: str) -> TextCopy | NoCopy:
        """Copies the text of a page, by its canonical URL. Raises IndexMissing without an index."""
        ...

    def find_failing_clauses(self, typed: str) -> FailingClauses:
        """Finds the clauses of a query that match nothing. Raises IndexMissing without an index."""
        ...

    def record_query(self, typed: str, total: int, client: Hashable) -> None:
        """Records that a client asked this and found so many documents."""
        ...


SearcherOf = Callable[[Request], Searcher]
"""Finds what answers a request: what its sender may see, and nothing else."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search request; `typed` is '' without words, `cut` if it was longer than MAX_TYPED."""

    typed: str
    page: int = 1
    size: int = PAGE_SIZE
    cut: bool = False
    fold: bool = True
    choice: SearchFilters = NO_FILTERS
    verbatim: bool = False  # not corrected, whatever it finds


async def parse_search_request(request: Request) -> SearchRequest:
    """Parses a search request; GET and POST mean the same (requirement 295). Raises HTTPException."""
    by_post = request.method == "POST"
    encoded = await read_form_body(request, MAX_BODY_BYTES) if by_post else request.scope["query_string"]
    fields = parse_form(encoded)
    words = (fields.get("q") or fields.get("query", "")).translate(_UNTYPED).strip()
    return SearchRequest(
        typed=words[:MAX_TYPED],
        page=_whole_number(fields, "page", default=1, most=MAX_PAGE),
        size=_whole_number(fields, "size", default=PAGE_SIZE, most=MAX_SIZE),
        cut=len(words) > MAX_TYPED,
        fold=_is_on(fields, "fold", default=True),
        choice=_choice(fields),
        verbatim=_is_on(fields, "verbatim", default=False),
    )


def parse_url(request: Request) -> str:
    """Parses `url` of a GET into a canonical URL. Raises HTTPException 400 where there is none."""
    try:
        return canonicalize(parse_form(request.scope["query_string"]).get("url", "").strip())
    except ValueError as error:
        raise HTTPException(400, Message("“url” must be the full address of a page.")) from error


def parse_form(encoded: bytes) -> Mapping[str, str]:
    """Parses form fields by name (requirement 297); the first of a name counts. Raises HTTPException 400.

    Bytes that are not UTF-8 become U+FFFD.
    """
    text = encoded.decode("utf-8", "replace")
    try:
        pairs = parse_qsl(text, errors="replace", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise HTTPException(
            400, Message("The form may have at most {limit} fields.", limit=MAX_FIELDS)
        ) from error
    return dict(reversed(pairs))


def parse_number(text: str) -> int | None:
    """Parses a whole number of at most MAX_DIGITS digits, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None


def request_media_type(request: Request) -> str:
    """Returns the media type of a request's body, without parameters; '' if it names none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form_body(request: Request, most: int, kind: str = FORM) -> bytes:
    """Reads the body of a form, of at most so many bytes. Raises HTTPException 4xx for any other."""
    if request_media_type(request) != kind:
        raise HTTPException(415, Message("The form must be sent as {kind}.", kind=kind))
    if int(request.headers.get("content-length", "0")) > most:  # the protocol has seen that it is a number
        raise _too_large(most)
    try:
        with anyio.fail_after(MAX_BODY_SECONDS):
            return await _body(request, most)
    except TimeoutError as error:
        detail = Message("The form took too long to arrive.")
        raise HTTPException(408, detail, {"Connection": "close"}) from error
    except ClientDisconnect as error:
        raise HTTPException(400, Message("The form did not arrive completely.")) from error


def _whole_number(fields: Mapping[str, str], name: str, default: int, most: int) -> int:
    raw = fields.get(name)
    if raw is None:
        return default
    number = int(raw) if re.fullmatch(r"[0-9]{1,9}", raw) else 0
    if not 1 <= number <= most:
        detail = Message("“{name}” must be a whole number from 1 to {most}.", name=name, most=most)
        raise HTTPException(400, detail)
    return number


def _choice(fields: Mapping[str, str]) -> SearchFilters:
    """Parses filters and sort order; an empty field is none."""
    values = {name: fields.get(name, "").translate(_UNTYPED).strip() for name in FILTER_FIELDS}
    for name, value in values.items():
        if value and not _may_be(name, value):
            raise HTTPException(400, _MEANT[name])
    sort = fields.get("sort") or Sort.RELEVANCE
    if sort not in [*Sort]:
        raise HTTPException(400, Message("“sort” must be relevance or date."))
    return SearchFilters(**values, sort=Sort(sort), with_facets=_is_on(fields, "facets", default=False))


def _may_be(name: str, value: str) -> bool:
    """Tells whether a value is valid for a field; which labels exist is known only to the search."""
    return len(value) <= MAX_CHOSEN and (name == "label" or bool(CHOICES[name](value)))


def _is_on(fields: Mapping[str, str], name: str, default: bool) -> bool:
    raw = fields.get(name, "01"[default])
    if raw not in ("0", "1"):
        raise HTTPException(400, Message("“{name}” must be 0 or 1.", name=name))
    return raw == "1"


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> HTTPException:
    detail = Message("The form may have at most {limit} bytes.", limit=most)
    return HTTPException(413, detail, {"Connection": "close"})
