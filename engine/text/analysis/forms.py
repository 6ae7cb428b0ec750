"""Lists the surface forms of a text: words as they were typed, unstemmed and undivided."""

import re

from engine.text.analysis.alphabet import MARKS, fold
from engine.text.analysis.analyzer import MAX_TERM
from engine.text.analysis.tokenizer import has_spaceless

_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}\u00ad\u200c\u200d\u2060])*")


def surface_forms(text: str) -> list[str]:
    """Lists the words of a text in order, folded but not yet in the index's spelling.

    Without those longer than MAX_TERM, and those of scripts written without spaces: what is a word of
    theirs is not known.
    """
    found: list[str] = _WORD.findall(fold(text))
    return [word for word in found if len(word) <= MAX_TERM and not has_spaceless(word)]
