"""Defines the operations of the API in one table, from which its description and page are made."""

from engine.formats import FILETYPES
from engine.index.query import OPERATORS, Role
from engine.index.searching import (
    ClauseExplanation,
    RankExplanation,
    ScoreExplanation,
    TermExplanation,
    WordExplanation,
)
from engine.linkgraph import Inlinks
from engine.model import FacetCount, Facets, Hit, Note, NoteKind, Results, Sitelink, Sort
from engine.submission import Stage, SubmissionStatus
from search_ui.api.operation import Operation, Parameter
from search_ui.api.recrawl_operations import RECRAWL_OPERATIONS
from search_ui.pages import JSON, encode_submission
from search_ui.rendering import DESCRIPTION, DESCRIPTION_TYPE, FEED, FEED_TYPE, SUGGESTIONS_TYPE
from search_ui.search_request import MAX_CHOSEN, MAX_PAGE, MAX_SIZE, MAX_TYPED, PAGE_SIZE
from search_ui.server import MEDIA_TYPE as COUNTS_TYPE

PLAIN = "text/plain"
# A character that is left of what was typed: no control, no space, nothing that turns text round.
SOMETHING = (
    "[^\\u0000-\\u0020\\u007f-\\u00a0\\u061c\\u1680\\u2000-\\u200a\\u200e\\u200f"
    "\\u2028-\\u202f\\u205f\\u2066-\\u2069\\u3000]"
)


_HIT = Hit(
    url="https://docs.example.org/guide/spiders.html",
    title="Wolf spiders",
    snippet="A wolf spider waits in its burrow.",
    score=12.5,
    inlinks=3,
    language="en",
    fetched_at="2026-05-02T10:20:30+00:00",
    marks=[(2, 13)],
    copies=1,
    copy_urls=["https://docs.example.org/old/spiders.html"],
    section="Burrows",
    fragment="burrows",
    text_directive="text=A%20wolf%20spider,its%20burrow.",
    sitelinks=[
        Sitelink("Burrows", "https://docs.example.org/guide/spiders.html#burrows"),
        Sitelink("Hunting", "https://docs.example.org/guide/spiders.html#hunting"),
    ],
)
_NOTE = Note(NoteKind.PARTIAL_MATCHES)
_FACETS = Facets(
    {
        "label": [FacetCount("Manuals", 1)],
        "host": [FacetCount("https://docs.example.org", 1)],
        "lang": [FacetCount("en", 1)],
        "type": [FacetCount("html", 1)],
        "after": [FacetCount("2026-05-01", 1)],
    }
)
_RESULTS = Results(
    *("wolf spider forest", 1, 1, PAGE_SIZE, 1.2, [_HIT], [_NOTE], "wolf spider forests"),
    facets=_FACETS,
    sites={"docs.example.org": "The spider guide"},
)
_TERM = TermExplanation("spider", 1.0, "title", 1, 2, 8.5)
_WORD = WordExplanation("spider", 40, 38, 3.5, 8.5, 9.5, (_TERM,))
_CLAUSES = (
    ClauseExplanation(Role.MUST, "spider", True, 9.5, 0.0, (_WORD,)),
    ClauseExplanation(Role.MUST, "forest", False, 0.0, 1.5, ()),
)
_GAINS = {"proximity": 0.5, "exact_form": 0.25, "title_coverage": 2.0, "heading_coverage": 0.25}
_EXPLANATION = ScoreExplanation(_CLAUSES, 1.0, True, 8.5, _GAINS, 0.75, 1.5, 12.25, 1, True)
_RANK = RankExplanation(_HIT.url, "spider forest", _EXPLANATION, 1, 1, 40, False, Inlinks(3, 2, 1.5), [_NOTE])

_WORDS = Parameter(
    "q",
    f"The query, as typed into the search box. Operators: {', '.join(f'{word}:' for word in OPERATORS)}.",
    {"type": "string", "minLength": 1, "maxLength": MAX_TYPED, "pattern": SOMETHING},
    "wolf spider",
    required=True,
)
_PAGES = (
    Parameter(
        "page",
        "Number of the page of hits, from 1.",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1},
        1,
    ),
    Parameter(
        "size",
        "Hits per page.",
        {"type": "integer", "minimum": 1, "maximum": MAX_SIZE, "default": PAGE_SIZE},
        PAGE_SIZE,
    ),
    Parameter(
        "fold",
        "1: at most two hits of each host among the first ten, if three hosts have hits; 0: not collapsed.",
        {"type": "integer", "enum": [0, 1], "default": 1},
        1,
    ),
)
_NARROWING = (
    Parameter(
        "label",
        "Pages of the sites with this label of the operator.",
        {"type": "string", "maxLength": MAX_CHOSEN},
        "Manuals",
    ),
    Parameter(
        "host",
        "One host, without its subdomains.",
        {"type": "string", "maxLength": MAX_CHOSEN, "pattern": r"^([a-z][a-z0-9]*\.)*[a-z]+(:[0-9]{1,4})?$"},
        "docs.example.org",
    ),
    Parameter(
        "lang",
        "Pages in this language (ISO 639; subtags are ignored).",
        {"type": "string", "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$"},
        "en",
    ),
    Parameter("type", "Documents of this type.", {"type": "string", "enum": [*FILETYPES]}, "html"),
    Parameter(
        "after",
        "Pages from this day, month or year on: 2024-05-01, 2024-05, 2024.",
        {
            "type": "string",
            "anyOf": [{"format": "date"}, {"pattern": "^[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?$"}],
        },
        "2024-05",
    ),
    Parameter(
        "sort",
        "Sort order: relevance, or newest first.",
        {"type": "string", "enum": [*Sort], "default": Sort.RELEVANCE},
        Sort.RELEVANCE,
    ),
)
_COUNTED = Parameter(
    "facets",
    "1: with facets: labels, hosts, languages, types and dates of the hits, with counts.",
    {"type": "integer", "enum": [0, 1], "default": 0},
    1,
)
_PAGE_ADDRESS = Parameter(
    "url", "The address of a page.", {"type": "string", "format": "uri"}, _HIT.url, required=True
)
_BEGUN = Parameter("q", "The beginning of a query.", {"type": "string"}, "wolf")

OPERATIONS = (
    Operation(
        "search",
        "/api/search",
        "One page of hits, the best first. Times are in milliseconds, dates in ISO 8601, UTC. `url` is the "
        "page's address, `fragment` the id of the section that answers, `link` where a click should lead: to "
        "that section and, where it has no id or is far from the passage, by a text fragment (`:~:text=`) to "
        "the passage itself. `marks` are the matches in `snippet`, from and to which character (code point). "
        "`sites` names hosts of hits and facets as their pages do.",
        JSON,
        _RESULTS.as_object(),
        (_WORDS, *_PAGES, *_NARROWING, _COUNTED),
        (400, 503),
        optional=("facets",),
    ),
    Operation(
        "feed",
        FEED,
        "The same as RSS 2.0, with OpenSearch's response elements.",
        FEED_TYPE,
        "",
        (_WORDS, *_PAGES, *_NARROWING),
        (400, 503),
    ),
    Operation(
        "suggest",
        "/api/suggest",
        "Completes the beginning of a query: that beginning, completions, and the URL of each: "
        "of the one page of that name, with its address or, for a section, the title of its page; or of the "
        "hits.",
        SUGGESTIONS_TYPE,
        [
            "wolf",
            ["wolf spider", "wolf spiders"],
            ["docs.example.org › wolf.html", ""],
            ["https://docs.example.org/wolf.html", "https://search.example/search?q=wolf+spiders"],
        ],
        (_BEGUN,),
        (400, 503),
    ),
    Operation(
        "explain",
        "/api/explain",
        "Explains a page's rank for a query: each part of its score.",
        JSON,
        _RANK.as_object(),
        (_PAGE_ADDRESS, _WORDS),
        (400, 404, 503),
    ),
    Operation(
        "submit",
        "/api/submit",
        "Submits a page. 200: it is known; 202: it is queued, or waits for the operator; 422: refused.",
        JSON,
        encode_submission(SubmissionStatus(_HIT.url, Stage.QUEUED)),
        (_PAGE_ADDRESS,),
        (400, 403, 404, 408, 413, 415, 422, 503),
        method="POST",
        statuses=(200, 202),
    ),
    Operation(
        "submission",
        "/api/submit",
        f"Returns the status of a submitted page: {', '.join(Stage)}; with its reason and date, if any.",
        JSON,
        encode_submission(SubmissionStatus(_HIT.url, Stage.INDEXED, since=1_777_717_230.0)),
        (_PAGE_ADDRESS,),
        (400, 404),
    ),
    *RECRAWL_OPERATIONS,
    Operation(
        "openapi", "/api/openapi.json", "Returns this description for programs.", JSON, {"openapi": "3.1.0"}
    ),
    Operation("description", DESCRIPTION, "Describes this search engine to browsers.", DESCRIPTION_TYPE, ""),
    Operation("health", "/health", "Reports whether the server is up.", PLAIN, "ok"),
    Operation("ready", "/health/ready", "Reports whether it can search.", PLAIN, "ok", errors=(503,)),
    Operation(
        "metrics",
        "/metrics",
        "Returns metrics for Prometheus, on the machine itself only.",
        COUNTS_TYPE,
        "lycosa_index_documents 14570",
        errors=(403,),
    ),
)
