"""Parses a search request: form fields of the address or a posted body -> one frozen value."""

import re
from collections.abc import Hashable, Mapping
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
MAX_FIELDS = 32  # form fields; our forms have three
MAX_BODY_BYTES = 64 * 1024  # MAX_TYPED percent-encoded characters are 12 KiB
MAX_BODY_SECONDS = 10.0  # for a whole form to arrive
MAX_PAGE = 100  # pages of hits; nobody reads on, and depth costs the index work
MAX_SIZE = 100  # hits on one page of the API
PAGE_SIZE = 10  # hits on one page

MAX_CHOSEN = 300  # characters; the name of a host has 253 (RFC 1035, 2.3.4), its port six

_MEANT = {
    "label": Message("“label” is a name that the operator gave to sites."),
    "host": Message("“host” is a host, such as docs.example.org."),
    "lang": Message("“lang” is a language's code, such as en."),
    "type": Message("“type” is one of {types}.", types=", ".join(FILETYPES)),
    "after": Message("“after” is a date: 2024, 2024-05 or 2024-05-01."),
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
        """Page `page` of the hits for what was typed, with `fold` few of each host among the first.

        IndexMissing while there is nothing to search.
        """
        ...

    def complete(self, typed: str) -> list[Completion]:
        """Queries that begin as this does, the best first; IndexMissing while there is nothing to search."""
        ...

    def explain(self, url: str, typed: str) -> RankExplanation | None:
        """Why a page stands where it does; None where it has none such, IndexMissing without an index."""
        ...

    def documents(self) -> int:
        """How many documents can be found; IndexMissing likewise, EngineError where it cannot be read."""
        ...

    def damaged(self) -> list[str]:
        """What the answers are without, as its files are damaged; IndexMissing and EngineError likewise."""
        ...

    def caught_up_at(self) -> float:
        """When the index last took up what was crawled, in seconds since 1970; IndexMissing likewise."""
        ...

    def text(self, url: str, typed: str) -> TextCopy | NoCopy:
        """What was read of a page, by its canonical URL; IndexMissing while there is nothing to search."""
        ...

    def failing(self, typed: str) -> FailingClauses:
        """Which parts of a query fail; IndexMissing while there is nothing to search."""
        ...

    def remember(self, typed: str, total: int, client: Hashable) -> None:
        """A client asked this and found so many documents."""
        ...


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question; `typed` is '' when no word was given, `cut` says that it was longer than MAX_TYPED."""

    typed: str
    page: int = 1
    size: int = PAGE_SIZE
    cut: bool = False
    fold: bool = True
    choice: SearchFilters = NO_FILTERS


async def parse_search_request(request: Request) -> SearchRequest:
    """The question of a GET or of a POST, which mean the same (requirement 295); HTTPException 4xx."""
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
    )


def parse_url(request: Request) -> str:
    """The canonical URL of the page that a GET asks about; HTTPException 400 where none is named."""
    try:
        return canonicalize(parse_form(request.scope["query_string"]).get("url", "").strip())
    except ValueError as error:
        raise HTTPException(400, Message("“url” must be the full address of a page.")) from error


def parse_form(encoded: bytes) -> Mapping[str, str]:
    """Form fields by name (requirement 297), the first of a name counts; HTTPException 400 past MAX_FIELDS.

    Bytes that are not UTF-8 become U+FFFD.
    """
    text = encoded.decode("utf-8", "replace")
    try:
        pairs = parse_qsl(text, errors="replace", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise HTTPException(
            400, Message("A form has at most {limit} fields here.", limit=MAX_FIELDS)
        ) from error
    return dict(reversed(pairs))


def request_media_type(request: Request) -> str:
    """What a request says that its body is, without parameters; '' where it says nothing."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form_body(request: Request, most: int, kind: str = FORM) -> bytes:
    """The body of a form, at most so many bytes; HTTPException 4xx for any other."""
    if request_media_type(request) != kind:
        raise HTTPException(415, Message("A form is sent as {kind}.", kind=kind))
    if int(request.headers.get("content-length", "0")) > most:  # the protocol has seen that it is a number
        raise _too_large(most)
    try:
        with anyio.fail_after(MAX_BODY_SECONDS):
            return await _body(request, most)
    except TimeoutError as error:
        detail = Message("The form took too long to arrive.")
        raise HTTPException(408, detail, {"Connection": "close"}) from error
    except ClientDisconnect as error:
        raise HTTPException(400, Message("The form did not arrive whole.")) from error


def _whole_number(fields: Mapping[str, str], name: str, default: int, most: int) -> int:
    raw = fields.get(name)
    if raw is None:
        return default
    number = int(raw) if re.fullmatch(r"[0-9]{1,9}", raw) else 0
    if not 1 <= number <= most:
        detail = Message("“{name}” is a whole number from 1 to {most}.", name=name, most=most)
        raise HTTPException(400, detail)
    return number


def _choice(fields: Mapping[str, str]) -> SearchFilters:
    """What hits are narrowed down to, and their order; an empty field is none."""
    values = {name: fields.get(name, "").translate(_UNTYPED).strip() for name in FILTER_FIELDS}
    for name, value in values.items():
        if value and not _may_be(name, value):
            raise HTTPException(400, _MEANT[name])
    sort = fields.get("sort") or Sort.RELEVANCE
    if sort not in [*Sort]:
        raise HTTPException(400, Message("“sort” is relevance or date."))
    return SearchFilters(**values, sort=Sort(sort), with_facets=_is_on(fields, "facets", default=False))


def _may_be(name: str, value: str) -> bool:
    """Whether a value can be one of a field; which labels there are is known where hits are looked for."""
    return len(value) <= MAX_CHOSEN and (name == "label" or bool(CHOICES[name](value)))


def _is_on(fields: Mapping[str, str], name: str, default: bool) -> bool:
    raw = fields.get(name, "01"[default])
    if raw not in ("0", "1"):
        raise HTTPException(400, Message("“{name}” is 0 or 1.", name=name))
    return raw == "1"


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> HTTPException:
    detail = Message("A form has at most {limit} bytes here.", limit=most)
    return HTTPException(413, detail, {"Connection": "close"})
