"""What programs may ask, as one table; the description of the API and its page are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.index.account import Account, Asked
from engine.index.holds import Said, Stand
from engine.index.parted import Role
from engine.index.rank import Rank
from engine.note import Kind, Note
from engine.page import Hit, Results
from engine.store.links import Inlinks
from search_ui.asked import MAX_PAGE, MAX_SIZE, MAX_TYPED, PAGE_SIZE
from search_ui.metrics import MEDIA_TYPE as COUNTS_TYPE
from search_ui.opensearch import DESCRIPTION, DESCRIPTION_TYPE, FEED, FEED_TYPE, SUGGESTIONS_TYPE

JSON, PLAIN = "application/json", "text/plain"
# A character that is left of what was typed: no control, no space, nothing that turns text round.
SOMETHING = (
    "[^\\u0000-\\u0020\\u007f-\\u00a0\\u061c\\u1680\\u2000-\\u200a\\u200e\\u200f"
    "\\u2028-\\u202f\\u205f\\u2066-\\u2069\\u3000]"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One field of a query; `schema` in JSON Schema 2020-12."""

    name: str
    about: str
    schema: Mapping[str, object]
    example: object
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One GET: what it gives in which type, with an example, and why it may refuse."""

    name: str
    path: str
    about: str
    media_type: str
    example: object
    parameters: tuple[Parameter, ...] = ()
    refusals: tuple[int, ...] = ()  # besides 429


_HIT = Hit(
    url="https://docs.example.org/guide/spiders.html",
    title="Wolf spiders",
    snippet="A wolf spider waits in its burrow.",
    score=12.5,
    inlinks=3,
    language="en",
    fetched_at="2026-05-02T10:20:30+00:00",
    copies=1,
    copy_urls=["https://docs.example.org/old/spiders.html"],
    section="Burrows",
    fragment="burrows",
)
_NOTE = Note(Kind.SOME_WORDS)
_RESULTS = Results("wolf spider forest", 1, 1, PAGE_SIZE, 1.2, [_HIT], [_NOTE], "wolf spider forests")
_STAND = Stand("spider", 1.0, "title", 1, 2, 8.5)
_SAID = Said("spider", 40, 38, 3.5, 8.5, 9.5, (_STAND,))
_PARTS = (
    Asked(Role.WANTED, "spider", True, 9.5, 0.0, (_SAID,)),
    Asked(Role.WANTED, "forest", False, 0.0, 1.5, ()),
)
_ACCOUNT = Account(_PARTS, 1.0, True, 8.5, 0.5, 0.25, 0.75, 1.5, 10.0, 1, 40, True)
_RANK = Rank(_HIT.url, "spider forest", _ACCOUNT, 1, 1, False, Inlinks(3, 2, 1.5), [_NOTE])

_WORDS = Parameter(
    "q",
    "What to search for, as a person types it.",
    {"type": "string", "minLength": 1, "maxLength": MAX_TYPED, "pattern": SOMETHING},
    "wolf spider",
    required=True,
)
_PAGES = (
    Parameter(
        "page",
        "Which page of hits, the first is 1.",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1},
        1,
    ),
    Parameter(
        "size",
        "Hits on a page.",
        {"type": "integer", "minimum": 1, "maximum": MAX_SIZE, "default": PAGE_SIZE},
        PAGE_SIZE,
    ),
    Parameter(
        "fold",
        "1: two hits of each host at most among the first ten, where three have some; 0: as they come.",
        {"type": "integer", "enum": [0, 1], "default": 1},
        1,
    ),
)
_PAGE_ADDRESS = Parameter(
    "url", "The address of a page.", {"type": "string", "format": "uri"}, _HIT.url, required=True
)
_BEGUN = Parameter("q", "What was typed so far.", {"type": "string"}, "wolf")

OPERATIONS = (
    Operation(
        "search",
        "/api/search",
        "One page of hits, the best first. Times are in milliseconds, dates in ISO 8601, UTC.",
        JSON,
        _RESULTS.as_object(),
        (_WORDS, *_PAGES),
        (400, 503),
    ),
    Operation(
        "feed",
        FEED,
        "The same as RSS 2.0, with OpenSearch's response elements.",
        FEED_TYPE,
        "",
        (_WORDS, *_PAGES),
        (400, 503),
    ),
    Operation(
        "suggest",
        "/api/suggest",
        "What may be meant by the beginning of a query: that beginning, and queries that begin so.",
        SUGGESTIONS_TYPE,
        ["wolf", ["wolf spider", "wolf spiders"]],
        (_BEGUN,),
        (400, 503),
    ),
    Operation(
        "explain",
        "/api/explain",
        "Why a page stands where it does for a query: each part of its score, as the search adds them up.",
        JSON,
        _RANK.as_object(),
        (_PAGE_ADDRESS, _WORDS),
        (400, 404, 503),
    ),
    Operation("openapi", "/api/openapi.json", "This description, for programs.", JSON, {"openapi": "3.1.0"}),
    Operation("description", DESCRIPTION, "What browsers add as a search engine.", DESCRIPTION_TYPE, ""),
    Operation("health", "/health", "Whether Lycosa answers at all.", PLAIN, "ok"),
    Operation("ready", "/health/ready", "Whether it can search.", PLAIN, "ok", refusals=(503,)),
    Operation(
        "metrics",
        "/metrics",
        "Counts for Prometheus, told on the machine itself alone.",
        COUNTS_TYPE,
        "lycosa_index_documents 14570",
        refusals=(403,),
    ),
)
