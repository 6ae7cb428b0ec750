"""Parses what a person typed: lexer, parser, query tree, clauses, relaxation."""

from engine.index.query.clauses import Role, format_clause, split_clauses
from engine.index.query.collectors import collect_low_weight, collect_prefixes, collect_words
from engine.index.query.forms import form_of, form_prefix
from engine.index.query.lexer import (
    Beginning,
    Either,
    Excluded,
    Narrowed,
    Quoted,
    Together,
    Typed,
    parse_syntax,
)
from engine.index.query.parser import MAX_QUERY_CHARS, match_keys, parse_any_word, parse_query, parse_tree
from engine.index.query.relaxation import relax, to_disjunction
from engine.index.query.tree import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Matched,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)

__all__ = [
    "MAX_QUERY_CHARS",
    "AllOf",
    "AndMaybe",
    "AnyOf",
    "Beginning",
    "Boost",
    "Compound",
    "Either",
    "Every",
    "Excluded",
    "Field",
    "Matched",
    "MostOf",
    "Narrowed",
    "Phrase",
    "Prefix",
    "Query",
    "Quoted",
    "Range",
    "Role",
    "Together",
    "Typed",
    "Word",
    "collect_low_weight",
    "collect_prefixes",
    "collect_words",
    "form_of",
    "form_prefix",
    "format_clause",
    "match_keys",
    "parse_any_word",
    "parse_query",
    "parse_syntax",
    "parse_tree",
    "relax",
    "split_clauses",
    "to_disjunction",
]
