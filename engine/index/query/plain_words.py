"""Rewrites a query so that the operators in it are plain words: of "IS NOT NULL" every word is wanted.

Filters and what is in quotation marks nobody types by chance; they stay what they are, with a minus or NOT
before them as well.
"""

import re

from engine.index.query.lexer import CONNECTIVES, MINUS
from engine.index.query.operators import OPERATORS

_ANY = re.compile(rf"(?<!\S)(?:-|{'|'.join(CONNECTIVES)})")  # most queries have none
_MEANT = rf'(?:"[^"]*"|(?i:{"|".join(OPERATORS)}):)'  # a phrase, or what a filter begins with
_CONNECTIVE = rf"(?:{'|'.join(CONNECTIVES)})(?!\S)(?!(?<=NOT)\s+-?{_MEANT})"
_OPERATOR = re.compile(
    rf'(?P<phrase>-?"[^"]*")|(?<!\S)(?:{MINUS}(?!{_MEANT}))?(?P<connective>{_CONNECTIVE})?'
)


def to_plain_words(typed: str) -> str:
    """Rewrites AND, OR and NOT in small letters, and words without their minus."""
    if not _ANY.search(typed):
        return typed
    return _OPERATOR.sub(lambda found: found["phrase"] or (found["connective"] or "").lower(), typed)
