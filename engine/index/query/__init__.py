"""Parses what a person typed: lexer, parser, query tree, clauses, relaxation."""

from engine.index.query.clauses import Role, format_clause, split_clauses
from engine.index.query.collectors import collect_low_weight, collect_prefixes, collect_words
from engine.index.query.forms import form_of, form_prefix
from engine.index.query.lexer import (
    AndGroup,
    Negation,
    OperatorText,
    OrGroup,
    PrefixText,
    QuotedText,
    SyntaxNode,
    parse_syntax,
)
from engine.index.query.operators import CHOICES, OPERATORS, KeyRange, parse_site
from engine.index.query.parser import MAX_QUERY_CHARS, match_keys, parse_any_word, parse_query, parse_tree
from engine.index.query.plain_words import to_plain_words
from engine.index.query.relaxation import is_quoted_word, relax, to_disjunction
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
    walk,
)

__all__ = [
    "CHOICES",
    "MAX_QUERY_CHARS",
    "OPERATORS",
    "AllOf",
    "AndGroup",
    "AndMaybe",
    "AnyOf",
    "Boost",
    "Compound",
    "Every",
    "Field",
    "KeyRange",
    "Matched",
    "MostOf",
    "Negation",
    "OperatorText",
    "OrGroup",
    "Phrase",
    "Prefix",
    "PrefixText",
    "Query",
    "QuotedText",
    "Range",
    "Role",
    "SyntaxNode",
    "Word",
    "collect_low_weight",
    "collect_prefixes",
    "collect_words",
    "form_of",
    "form_prefix",
    "format_clause",
    "is_quoted_word",
    "match_keys",
    "parse_any_word",
    "parse_query",
    "parse_site",
    "parse_syntax",
    "parse_tree",
    "relax",
    "split_clauses",
    "to_disjunction",
    "to_plain_words",
    "walk",
]
