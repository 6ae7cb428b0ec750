"""Defines the index's fields, the ranking's numbers, and which generation is current."""

from engine.index.schema import generations
from engine.index.schema.filters import (
    day_of,
    sites_of,
    stated_day,
    type_of,
)
from engine.index.schema.generations import UNREADABLE, Generation, current_generation, current_size
from engine.index.schema.ranking import (
    STUFFABLE,
    STUFFED_FROM,
    STUFFED_SHARE,
    STUFFED_SQUARE,
    VOTE_PIVOTS,
    FieldRanking,
    Ranking,
    idf,
    read_ranking,
)
from engine.index.schema.schema import (
    FORM_FIELDS,
    FORMS,
    KEYS,
    LAYOUT,
    NAMES,
    OWN_FIELDS,
    PHRASE_FIELDS,
    REST,
    TEXT_FIELDS,
    whoosh_schema,
)

__all__ = [
    "FORMS",
    "FORM_FIELDS",
    "KEYS",
    "LAYOUT",
    "NAMES",
    "OWN_FIELDS",
    "PHRASE_FIELDS",
    "REST",
    "STUFFABLE",
    "STUFFED_FROM",
    "STUFFED_SHARE",
    "STUFFED_SQUARE",
    "TEXT_FIELDS",
    "UNREADABLE",
    "VOTE_PIVOTS",
    "FieldRanking",
    "Generation",
    "Ranking",
    "current_generation",
    "current_size",
    "day_of",
    "generations",
    "idf",
    "read_ranking",
    "sites_of",
    "stated_day",
    "type_of",
    "whoosh_schema",
]
