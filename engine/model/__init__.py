"""Defines the frozen values that packages exchange: pages, visits, filters, notes, messages."""

from engine.model.hit import Hit
from engine.model.message import Message
from engine.model.narrowing import FILTER_FIELDS, NO_FILTERS, FacetCount, Facets, SearchFilters, Sort
from engine.model.note import Note, NoteKind
from engine.model.origin import Origin
from engine.model.page import (
    CELL_END,
    COPIES,
    COPY,
    LETHAL,
    LISTS,
    NEAR_COPY,
    UNASKED,
    UNDRAWN,
    Claim,
    Fetch,
    Flag,
    Link,
    Links,
    Page,
    Purpose,
    Reading,
    Results,
    Section,
    State,
    Visit,
    rule_of,
    unasked_hosts,
)
from engine.model.scanned_pages import ScannedPages
from engine.model.secret import Secret
from engine.model.section_anchor import SectionAnchor
from engine.model.sitelink import Sitelink

__all__ = [
    "CELL_END",
    "COPIES",
    "COPY",
    "FILTER_FIELDS",
    "LETHAL",
    "LISTS",
    "NEAR_COPY",
    "NO_FILTERS",
    "UNASKED",
    "UNDRAWN",
    "Claim",
    "FacetCount",
    "Facets",
    "Fetch",
    "Flag",
    "Hit",
    "Link",
    "Links",
    "Message",
    "Note",
    "NoteKind",
    "Origin",
    "Page",
    "Purpose",
    "Reading",
    "Results",
    "ScannedPages",
    "SearchFilters",
    "Secret",
    "Section",
    "SectionAnchor",
    "Sitelink",
    "Sort",
    "State",
    "Visit",
    "rule_of",
    "unasked_hosts",
]
