"""Words typed without their accents."""

import pytest

from engine.text.analysis.accents import simplify_letters, unaccented_variants

pytestmark = pytest.mark.requirement(297)

TYPED = [
    ("żółw", "pl", ["zolw"], "Polish"),
    ("łódź", "pl", ["lodz"], "a letter that is no letter with a mark to Unicode"),
    ("příliš žluťoučký", "cs", ["prilis zlutoucky"], "Czech"),
    ("őrült", "hu", ["orult"], "Hungarian"),
    ("țară", "ro", ["tara"], "Romanian"),
    ("ığdır", "tr", ["igdir"], "the Turkish letter without a dot"),
    ("tiếng việt", "vi", ["tieng viet"], "Vietnamese: two marks on a letter"),
    ("café", "en", ["cafe"], "a loan"),
    ("café", "", ["cafe"], "in whatever language"),
    ("año", "es", ["ano"], "Spanish, on a keyboard from abroad"),
    ("αθήνα", "el", ["αθηνα"], "Greek capitals have no tonos"),
    ("müller", "de", ["muller", "mueller"], "German has two ways"),
    ("får", "sv", [], "a letter of its own: the sheep is not far"),
    ("idé", "sv", ["ide"], "an accent on another"),
    ("smørbrød", "da", [], "Danish and Norwegian likewise"),
    ("jää", "fi", [], "Finnish likewise"),
    ("õun", "et", [], "Estonian likewise"),
    ("край", "ru", [], "not an accent"),
    ("за\u0301мок", "ru", ["замок"], "a stress that primers print"),
    ("फ़िल्म", "hi", ["फिल्म"], "the nukta"),
    ("चाँद", "hi", ["चांद"], "candrabindu"),
    ("œuvre", "fr", ["oeuvre"], "two letters in one"),
    ("plain", "pl", [], "nothing to take off"),
]


@pytest.mark.parametrize(("word", "language", "typed", "why"), TYPED, ids=range(len(TYPED)))
def test_a_word_as_it_is_typed_without_accents(word: str, language: str, typed: list[str], why: str) -> None:
    assert list(unaccented_variants(word, language)) == typed, why


@pytest.mark.parametrize("text", ["ŁÓDŹ œuvre", "كتاب می\u200cروم", "a\u0301b", "中文", "İx"])
def test_rough_letters_stand_where_the_letters_stood(text: str) -> None:
    assert len(simplify_letters(text)) == len(text)
