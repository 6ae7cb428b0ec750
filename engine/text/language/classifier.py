"""Guesses a language from letters alone, by py3langid's model, loaded when first needed.

To unpack it takes 0.5 s and 80 MB, and few pages need a guess. py3langid would do so by a temporary file: a
process that reads strangers' pages may write none (engine.workers.sandbox).
"""

import lzma
from array import array
from functools import cache
from io import BytesIO
from typing import Any

_TYPES = {2: "H", 4: "I"}  # of the array module, by octets


def classify(sample: str) -> str:
    """Classifies a sample: the most probable language, by its ISO 639 code."""
    code: str = _load_identifier().classify(sample)[0]
    return code


@cache
def load_packed_model() -> bytes:
    """Loads the model as it lies in its file: 4.6 MB."""
    from py3langid.langid import (
        MODEL_DIR,
        MODEL_FILE,
    )  # here, because it takes NumPy, and many commands do not

    model: bytes = (MODEL_DIR / MODEL_FILE).read_bytes()
    return model


@cache
def _load_identifier() -> Any:
    import numpy as np
    from py3langid.langid import LanguageIdentifier

    with np.load(BytesIO(lzma.decompress(load_packed_model())), allow_pickle=False) as model:
        return LanguageIdentifier(
            model["ptc"],
            model["pc"],
            model["classes"].tolist(),
            _to_array(model["nextmove"]),
            model["out_feat"].tolist(),
            tk_row=_to_array(model["nextmove_row"]),
        )


def _to_array(column: Any) -> "array[int]":
    """Copies unsigned integers to Python's array, from which they are read faster than from NumPy's."""
    numbers = array(_TYPES[column.dtype.itemsize])
    numbers.frombytes(column.tobytes())
    return numbers
