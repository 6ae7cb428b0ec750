"""What turns the direction of a text around stays with the text that it was written for."""

import pytest

from engine.text.analysis.direction import strip_bidi_controls

CASES = [
    ("invoice \u202efdp.exe", "invoice fdp.exe", "an override without an end"),
    ("\u2066a\u2069 \u202bb\u202c \u2067c", "a b c", "isolates and embeddings, ended or not"),
    ("שלום\u200f!", "שלום\u200f!", "a mark reaches no further than its neighbours"),
    ("می\u200cخواهم", "می\u200cخواهم", "a non-joiner is spelling"),
    ("plain", "plain", "nothing to do"),
]


@pytest.mark.parametrize(("text", "shown", "why"), CASES)
def test_directions(text: str, shown: str, why: str) -> None:
    assert strip_bidi_controls(text) == shown, why
