"""Inverts documents into a segment: their texts as numbered terms, sorted, and written."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.index.documents.portions import SegmentBatch
from engine.index.schema import FORM_FIELDS, FORMS, KEYS, LAYOUT, TEXT_FIELDS
from engine.segment import (
    BREAK,
    BatchEntries,
    Entries,
    Terms,
    build_segment,
    encode_terms,
    invert_entries,
    split_terms,
    stored,
)
from engine.text.tokens import TermNumbering

_TEXTS = len(TEXT_FIELDS)
_OF_FORMS = np.isin(TEXT_FIELDS, FORM_FIELDS)  # the texts whose words are kept as typed


def write_batch(path: Path, batch: SegmentBatch, numbering: TermNumbering) -> None:
    """Writes documents with their terms as the file of a segment, numbered from 0.

    Raises OSError, and leaves nothing.
    """
    made = invert_entries(LAYOUT, *make_entries(batch, numbering))
    lengths = dict(zip(TEXT_FIELDS, measure_texts(batch).T, strict=True))
    records = [stored.pack_fields(one.stored) for one in batch.documents]
    build_segment(path, LAYOUT, made.rows, [made.run], lengths, batch.heading_ends, records)


def measure_texts(batch: SegmentBatch) -> NDArray[np.int64]:
    """Measures the texts of documents in positions: (documents, TEXT_FIELDS)."""
    return batch.terms.lengths.reshape(-1, _TEXTS).astype(np.int64)


def make_entries(batch: SegmentBatch, numbering: TermNumbering) -> BatchEntries:
    """Makes the entries of documents: terms of their texts, forms of their words, keys. They hold until the
    numbering is used again.
    """
    documents, read = batch.documents, batch.terms
    formed = _OF_FORMS[read.form_texts % _TEXTS]
    forms, of_form = read.forms[formed], read.form_texts[formed] // _TEXTS
    keys = [
        (LAYOUT.key(name, term), number)
        for number, document in enumerate(documents)
        for name in KEYS
        for term in document.keys.get(name, ())
        if term
    ]
    numbers = {key: at for at, key in enumerate(dict.fromkeys(key for key, _ in keys))}
    words, texts, said = list(numbers), len(numbering.terms), len(numbering.forms)

    def terms(used: NDArray[np.int64]) -> Terms:
        of_texts, of_forms, of_keys = np.split(used, np.searchsorted(used, (texts, texts + said)))
        return split_terms(
            encode_terms(LAYOUT.group(TEXT_FIELDS[0]), [numbering.terms[at] for at in of_texts.tolist()])
            + encode_terms(LAYOUT.group(FORMS), [numbering.forms[at] for at in (of_forms - texts).tolist()])
            + b"".join(words[at] + BREAK for at in (of_keys - texts - said).tolist()),
            len(used),
        )

    entries = Entries(
        _concatenate(read.terms, forms + texts, np.array([numbers[key] for key, _ in keys]) + texts + said),
        _concatenate(read.texts // _TEXTS, of_form, np.array([number for _, number in keys])),
        _concatenate(read.texts % _TEXTS, np.zeros(len(forms) + len(keys))),
        _concatenate(
            read.positions, np.arange(len(forms)) - np.searchsorted(of_form, of_form), np.zeros(len(keys))
        ),
    )
    return BatchEntries(texts + said + len(words), terms, entries)


def _concatenate(*arrays: NDArray[np.number]) -> NDArray[np.int32]:
    return np.concatenate(arrays, dtype=np.int32, casting="unsafe")
