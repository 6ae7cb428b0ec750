"""Documents -> a segment: their texts as numbered terms, sorted, and written."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.index.forms import forms
from engine.index.schema import FORM_FIELDS, FORMS, KEYS, LAYOUT, TEXT_FIELDS, Document
from engine.segment import stored
from engine.segment.build import build
from engine.segment.invert import Entries, inverted
from engine.text.analysis import analyse


def write(path: Path, documents: Sequence[Document]) -> None:
    """At most MAX_DOCUMENTS as the file of a segment, numbered from 0. Raises OSError, and leaves nothing."""
    numbers: dict[bytes, int] = {}
    entries: list[tuple[int, int, int, int]] = []
    lengths = {name: np.zeros(len(documents), np.int64) for name in TEXT_FIELDS}
    for at, document in enumerate(documents):
        for column, (name, text) in enumerate(zip(TEXT_FIELDS, document.texts, strict=True)):
            places = analyse(text, document.language)
            lengths[name][at] = len(places)
            for position, place in enumerate(places):
                for term in place:
                    key = b"\0" + term.encode()
                    entries.append((numbers.setdefault(key, len(numbers)), at, column, position))
        said = "\\n".join(document.texts[TEXT_FIELDS.index(name)] for name in FORM_FIELDS)
        for form, count in Counter(forms(said)).items():
            key = LAYOUT.key(FORMS, form)
            number = numbers.setdefault(key, len(numbers))
            entries.extend((number, at, 0, position) for position in range(count))
        for name in KEYS:
            if document.keys.get(name):
                key = LAYOUT.key(name, document.keys[name])
                entries.append((numbers.setdefault(key, len(numbers)), at, 0, 0))
    table = np.array(entries, np.int64).reshape(-1, 4)
    made = inverted(LAYOUT, [*numbers], Entries(*table.T))
    build(path, LAYOUT, made.rows, [made.run], lengths, [stored.packed(one.stored) for one in documents])
