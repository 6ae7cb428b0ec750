"""Defines an index of a cluster: its settings, its fields, and how terms are written in them."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

from engine.index.cluster_form.term_vectors import PARTS
from engine.index.schema import FORMS, NAMES, PHRASE_FIELDS, SIGNAL, TEXT_FIELDS

# Fields of features: of each term its BM25F weight in the document. Lucene takes some 65,000 in each, as it
# adds up their values as if they were frequencies, up to 2^31.
WEIGHT_FIELDS = 8
_WEIGHTS = "w"  # before the number of such a field
OWN_TERMS = "own"  # terms that the document says itself, but not in its body
OTHER_TERMS = "other"  # terms that it does not say itself
FIELD_TERMS = ("path", "rest")  # texts without positions that can be asked for by themselves
VOTES = "votes"  # when it was written; scores have those of the link graph
FLAGGED = "flagged"  # whether it has nothing to say (requirement 85)
AUTHORITY = "authority"  # its host, the same for http and https
_LENGTH = "length_"  # before the name of a text: how long it is, none where it is empty
RECORD = "record"  # the stored fields, packed (engine.segment.stored)
HEAD = "head"  # of the term vector
NAMED = "named"  # all names of the page, packed; the keyword NAMES has their keys (page_names.py)
TITLE_END = "title_end"  # on one line: what it shares with others of its host
LONGEST_END = 200  # characters of it
STACK = "\x01"  # between terms of one position, and for a dot, which a feature's name must not have
STACKED = "stacked"  # the analyzer of such terms
EMPTY = "\x02"  # a position without a term
# For so long a document that was deleted is known by its version: a writer that was stopped meanwhile, as a
# machine that slept, brings none back.
REMEMBERED = "1d"
# Before a form: Lucene finds words two edits from one only where they begin alike.
FORM_START = "^"
LONGEST_TOKEN = 32_766  # octets of a term, Lucene's limit; tokens of the default tokenizer end at 255

_KEY = {"type": "keyword", "doc_values": False, "norms": False}
_COLUMN = {"type": "keyword", "norms": False}
_PLACED = {
    "type": "text",
    "analyzer": STACKED,
    "search_analyzer": "whitespace",
    "norms": False,
    "index_options": "positions",
}
_BINARY = {"type": "binary", "doc_values": True}


def part_field(part: int) -> str:
    """Names the field of a part of the term vector."""
    return f"part{part}"


def length_field(name: str) -> str:
    """Names the field that has the length of a text."""
    return _LENGTH + name


ANALYSIS: Mapping[str, Any] = {
    "analyzer": {STACKED: {"type": "custom", "tokenizer": "spaces", "filter": ["split"]}},
    "tokenizer": {"spaces": {"type": "whitespace", "max_token_length": LONGEST_TOKEN}},
    "filter": {
        "split": {"type": "pattern_capture", "preserve_original": False, "patterns": [f"([^{STACK}]+)"]}
    },
}
MAPPINGS: Mapping[str, Any] = {
    "dynamic": "strict",
    # Nobody asks for a source: what is shown is the record. Replicas need what they recover from, so
    # recovery_source_enabled stays on: without it they never start.
    "_source": {"enabled": False},
    "properties": {
        **{f"{_WEIGHTS}{number}": {"type": "rank_features"} for number in range(WEIGHT_FIELDS)},
        **dict.fromkeys(PHRASE_FIELDS, _PLACED),
        **dict.fromkeys(
            (OWN_TERMS, OTHER_TERMS, *FIELD_TERMS, "site", "flag", "link", NAMES, FORMS, SIGNAL), _KEY
        ),
        **dict.fromkeys(("url", "host", AUTHORITY, "language", "type", "day"), _COLUMN),
        TITLE_END: {"type": "keyword", "index": False},
        **{length_field(name): {"type": "integer", "index": False} for name in TEXT_FIELDS},
        VOTES: {"type": "float", "index": False},
        FLAGGED: {"type": "boolean", "index": False},
        RECORD: {"type": "binary", "store": True},
        **dict.fromkeys((HEAD, NAMED), _BINARY),
        **{part_field(part): _BINARY for part in range(PARTS)},
    },
}


def make_settings(shards: int, replicas: int) -> dict[str, Any]:
    """Makes the settings of a new index, which shows what was written when it is refreshed.

    Each copy indexes the documents itself: a refresh shows them in all copies. Those that fetched segments
    would take half the work, but show them later, and whoever asks such a one misses pages, or finds removed
    ones. Facets are counted by several threads, each some segments: the default of OpenSearch 3.
    """
    index = {
        "number_of_shards": shards,
        "number_of_replicas": replicas,
        "refresh_interval": "-1",
        "replication": {"type": "DOCUMENT"},
        "gc_deletes": REMEMBERED,
        "search": {"concurrent_segment_search": {"mode": "auto"}},
        "merge": {"policy": {"expunge_deletes_allowed": 0}},  # percent: what was removed leaves the disk
    }
    return {"index": index, "analysis": ANALYSIS}


def document_id(url: str) -> str:
    """Returns what a cluster knows a page by: a URL may be longer than 512 octets, which is its limit."""
    return sha256(url.encode()).hexdigest()[:32]


def form_key(form: str) -> str:
    """Returns what the field FORMS has of a form, or of the beginning of one."""
    return FORM_START + form


def weight_field(term: str) -> str:
    """Names the field that has the weight of a term."""
    return f"{_WEIGHTS}{crc32(term.encode()) % WEIGHT_FIELDS}"


def feature_name(term: str) -> str:
    """Names a term as a feature: OpenSearch takes a dot for the end of a field's name, and finds nothing."""
    return term.replace(".", STACK)
