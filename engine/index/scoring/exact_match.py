"""Adds what words in their exact form, and forms like them, count in the best texts.

As BM25 adds up words, each as rare as its stem. A beginning counts where the word itself is missing.
"""

from typing import NamedTuple

import numpy as np

from engine.index.reader import BODY, FIELD, Documents, LeafArrays, Scores
from engine.index.schema import FORM_FIELDS, TEXT_FIELDS
from engine.index.scoring.bm25f import WEIGHT, field_length, limit_stuffing, normalize
from engine.kernels import F32, I32, NONE, Number, compiled, inlined, mutable, readonly, record_of
from engine.segment import skip_to

BODY_MARK = int(BODY)
BODY_TEXT = TEXT_FIELDS.index(FIELD)
_TEXTS = tuple(map(TEXT_FIELDS.index, FORM_FIELDS))


class LongerForms(NamedTuple):
    """Documents (ascending) that have longer forms of a word, how often, and what each counts."""

    documents: Documents
    amounts: Scores
    share: float


LONGER_FORMS = record_of(LongerForms, documents=readonly(I32), amounts=readonly(F32), share=F32)
"""LongerForms, for compiled functions."""


@inlined
def occurrence_weight(norms: Scores, length: Number) -> Number:
    """Returns what an occurrence counts in a body of so many words."""
    return norms[0, BODY_TEXT, WEIGHT] / normalize(norms, 0, BODY_TEXT, length)


@inlined
def _forms_length(leaf: LeafArrays, document: Number) -> Number:
    """Adds up the lengths of the texts whose forms are kept."""
    length = np.float32(0)
    for text in _TEXTS:
        length += field_length(leaf, text, document)
    return length


@inlined
def add_exact_forms(
    leaf: LeafArrays,
    documents: Documents,
    occurrence_weights: Scores,
    amounts: Scores,
    rarities: Scores,
    k1: Number,
    gained: Scores,
) -> None:
    """Adds what the exact forms of words count in documents: each of the `amounts` (words, documents) of
    occurrences counts as the weight of its document says.
    """
    for at in range(len(documents)):
        length = _forms_length(leaf, documents[at])
        for word in range(len(amounts)):
            often = limit_stuffing(amounts[word, at], length) * occurrence_weights[at]
            if often > 0:
                gained[at] += rarities[word] * (k1 + np.float32(1)) * often / (k1 + often)


@compiled(NONE(readonly(I32), readonly(F32), readonly(F32), LONGER_FORMS, F32, mutable(F32)))
def add_longer_forms(
    documents: Documents,
    occurrence_weights: Scores,
    scores: Scores,
    longer: LongerForms,
    k1: Number,
    gained: Scores,
) -> None:
    """Adds what longer forms that begin as a word does count, in documents where that, by its marked scores,
    is not in the body itself. Each occurrence counts as the weight of its document says.
    """
    marks, place, share = scores.view(np.uint32), np.int64(0), longer.share
    holders, amounts = longer.documents, longer.amounts
    for at in range(len(documents)):
        place = skip_to(holders, documents[at], place)
        is_there = place < len(holders) and holders[place] == documents[at]
        if is_there and marks[at] & BODY_MARK == 0:
            often = amounts[place] * occurrence_weights[at]
            if often > 0:
                gained[at] += share * (k1 + np.float32(1)) * often / (k1 + often)
