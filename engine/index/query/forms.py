"""Finds documents that have a word in the exact form of the query, or a longer form of it.

Stems find, forms order: a text with the very form is nearer to what was meant; and where a stemmer
takes too little, or knows too little of a language, words of one family still begin with the same
letters. So the forms of a document are terms of a field of their own, without positions.
"""

from engine.text.analysis import normalize_term, surface_forms

BEGINNING = 5  # letters that a family of words shares; four or six gain less


def form_of(word: str) -> str:
    """Returns how the index spells the form of a folded word; '' for what has none."""
    return normalize_term(word) if surface_forms(word) == [word] else ""


def form_prefix(form: str) -> str:
    """Returns what the longer forms of a word begin with; '' for one that is too short, and for numbers."""
    return "" if len(form) <= BEGINNING or form[0].isdigit() else form[:BEGINNING]
