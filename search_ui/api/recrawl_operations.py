"""Describes the operations of the deploy hook."""

from engine.submission import RecrawlKind, RecrawlProgress, RecrawlRequest, RecrawlState, RecrawlStatus
from engine.url import MAX_URL_LENGTH
from search_ui.api.operation import Operation, Parameter
from search_ui.api.recrawl_endpoints import encode_recrawl
from search_ui.pages import JSON

_RECRAWL = RecrawlRequest(
    "Zk3nS1cXq0aPz5Lw", "deploy", RecrawlKind.PAGE, "https://docs.example.org/guide/*", 1_777_717_230.0
)
_TO_RECRAWL = Parameter(
    "url",
    "The whole address of a page or a sitemap, or how addresses of pages begin, with * at the end.",
    {"type": "string", "minLength": 1, "maxLength": MAX_URL_LENGTH},
    _RECRAWL.url,
    required=True,
)
_KIND = Parameter(
    "kind",
    "What the address is of.",
    {"type": "string", "enum": [*RecrawlKind], "default": RecrawlKind.PAGE},
    RecrawlKind.PAGE,
)
_RECRAWL_ID = Parameter(
    "id",
    "The id of the request.",
    {"type": "string", "minLength": 1},
    _RECRAWL.id,
    required=True,
    place="path",
)

RECRAWL_OPERATIONS = (
    Operation(
        "recrawl",
        "/api/recrawl",
        "Queues pages of a token's sites for a visit, at once where a crawl is running. Location is where "
        "its state is. 403: it is no site of the token's; 422: a rule keeps it out.",
        JSON,
        encode_recrawl(RecrawlStatus(_RECRAWL, RecrawlProgress(queued=12))),
        (_TO_RECRAWL, _KIND),
        (400, 401, 403, 404, 408, 413, 415, 422, 503),
        method="POST",
        statuses=(202,),
        needs_token=True,
    ),
    Operation(
        "recrawled",
        "/api/recrawl/{id}",
        f"Returns how far a request of the token is: {', '.join(RecrawlState)}; and its URLs by these.",
        JSON,
        encode_recrawl(RecrawlStatus(_RECRAWL, RecrawlProgress(queued=2, fetched=3, indexed=6, failed=1))),
        (_RECRAWL_ID,),
        (401, 404, 503),
        needs_token=True,
    ),
)
