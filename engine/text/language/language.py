"""Identifies a text's language: declared, by script and stop words, and only then a guess."""

import re
from collections import Counter
from itertools import chain

from engine.text.language.classifier import classify
from engine.text.language.cpu_limit import pause_cpu_limit
from engine.text.language.letters import SAME, load_frequent_words

SAMPLE = 300  # characters looked at; on 3,480 paragraphs in 14 languages no error, as with 1,000, in 0.1 ms
MIN_LETTERS = 24  # letters below which a guess between languages of one script is worth nothing
WORDS_SAMPLE = 1_000  # characters in which little words are counted: a page may begin with names
MIN_WORDS = 6  # little words of a language that can settle it, at a fifth of a guess's cost
WORD_SHARE = 1 / 12  # of all words; prose has a fourth
AHEAD = 1.5  # times as many little words as any other language has: of that, relatives fall short
DOUBTED = 1.2  # times as many little words as the declared language has: its relatives have as many
MIN_PLAIN = 4  # little words that suffice where a language is declared, and all others have fewer
MIN_DOUBT = 3  # little words of another language that make a guess worth its price
MIN_NEEDED = 150  # letters in which one that a language needs comes at least once
MIN_MARKED = 5  # letters such as é and ł, which English has only in names and loans
MARKED_SHARE = 0.02  # of all characters; French and German have a thirtieth
MIN_HAN = 100  # characters; Japanese has Kana in every clause
MIN_FOREIGN = 1 / 3  # of all letters; with fewer, the other script is a quotation

_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
    is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
    mr ms mt my na nd ne ng nl no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si
    sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo
    xh yi yo za zh zu
"""
ISO_639_1 = frozenset(_CODES.split())
"""The codes; no stands for nb and nn."""

RETIRED = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "sh": "sr", "nb": "no", "nn": "no"}

_CYRILLIC = "ru ab av az ba be bg ce cv kk kv ky mk mn os sr tg tk tt uk uz"
_ARABIC = "ar fa ks ku pa ps sd ug ur"
SCRIPTS = (
    ("\u3040-\u30ff", ("ja",)),  # Kana; before Han, because Japanese has both
    ("\u1100-\u11ff\u3130-\u318f\uac00-\ud7af", ("ko",)),
    ("\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", ("zh", "ja", "ko")),
    ("\u0400-\u052f", tuple(_CYRILLIC.split())),
    ("\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff", tuple(_ARABIC.split())),
    ("\u0590-\u05ff", ("he", "yi")),
    ("\u0370-\u03ff\u1f00-\u1fff", ("el",)),
    ("\u0e00-\u0e7f", ("th",)),
    ("\u0e80-\u0eff", ("lo",)),
    ("\u1780-\u17ff", ("km",)),
    ("\u1000-\u109f", ("my",)),
    ("\u0530-\u058f", ("hy",)),
    ("\u10a0-\u10ff", ("ka",)),
    ("\u1200-\u139f", ("am", "ti")),
    ("\u0900-\u097f", ("hi", "mr", "ne", "sa")),
    ("\u0980-\u09ff", ("bn", "as")),
    ("\u0a00-\u0a7f", ("pa",)),
    ("\u0a80-\u0aff", ("gu",)),
    ("\u0b00-\u0b7f", ("or",)),
    ("\u0b80-\u0bff", ("ta",)),
    ("\u0c00-\u0c7f", ("te",)),
    ("\u0c80-\u0cff", ("kn",)),
    ("\u0d00-\u0d7f", ("ml",)),
    ("\u0d80-\u0dff", ("si",)),
)
"""Letters of a script, for use in brackets, and the languages written in it, the most frequent first."""

_BY_SCRIPT = tuple((re.compile(f"[{letters}]"), languages) for letters, languages in SCRIPTS)
_ELSEWHERE = "ru uk be bg mk ar fa ur ps he yi el th ja ko zh hy ka hi bn ta te ml kn gu km lo my"
_NEVER_LATIN = frozenset(_ELSEWHERE.split())
_LETTER = re.compile(r"[^\W\d_]")
_FOREIGN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")  # letters that are not Latin
_PERSIAN = re.compile("[پچژگ]")
_OTHER_ARABIC = re.compile("[ٹڈڑںےہھټډړښېێۆەڭۇ]")  # of Urdu, Pashto, Kurdish, Uighur
_SPEAKERS = load_frequent_words()
_LISTED = frozenset(chain.from_iterable(_SPEAKERS.values()))
_NEEDED = {"uk": re.compile("[іїє]"), "be": re.compile("[іў]"), "ru": re.compile("[ыэъ]"), "fa": _PERSIAN}
_MARKED = re.compile(r"[à-öø-žșțḁ-ỹ]")
_WORD = re.compile(r"[^\W\d_]+")
_ONLY_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}


def detect_language(declared: str, text: str) -> str:
    """Detects the language of a text, by its ISO 639-1 code; '' if it cannot be told.

    `declared` is what lang= or Content-Language says. It is believed unless the text speaks clearly
    against it: by its script, or by the little words of another language.
    """
    sample = text[:SAMPLE]
    possible = _languages_of_script(sample)
    code = _primary_subtag(declared)
    if not (code and _script_allows(code, sample, possible)):
        code = ""
    if len(possible) == 1:
        return possible[0]
    if possible[:1] == ("zh",):  # Han without Kana or Hangul
        return code if code and not _is_chinese(text[:WORDS_SAMPLE]) else "zh"
    if code and _is_refuted_by_letters(code, sample):
        code = ""
    if code and _is_evident(code, sample):
        return code
    words = _split_words(text[:WORDS_SAMPLE].lower())
    counts = _count_frequent_words(words)
    best = max(counts, key=lambda language: counts[language], default="")
    clear = counts[best] >= max(MIN_WORDS, WORD_SHARE * len(words))
    if code and not _is_refuted_by_words(code, best, counts):
        return code
    if clear and _is_far_ahead(counts):
        return best
    guess = _classify(sample, possible)
    return guess if not code or clear or guess == best else code


def _is_evident(code: str, sample: str) -> bool:
    """Tells whether the beginning of a text has many little words of a language, and of no other more."""
    counts = _count_frequent_words(sample.lower().split())
    return counts[code] >= MIN_PLAIN and counts[code] == max(counts.values())


def _split_words(text: str) -> list[str]:
    """Splits a text in lower case into runs of letters; most are ASCII, where a table is faster."""
    return text.translate(_ONLY_LETTERS).split() if text.isascii() else _WORD.findall(text.translate(SAME))


def _count_frequent_words(words: list[str]) -> Counter[str]:
    """Counts the words that are among the most frequent of each language."""
    return Counter(chain.from_iterable([_SPEAKERS[word] for word in words if word in _SPEAKERS]))


def _is_refuted_by_words(code: str, best: str, counts: Counter[str]) -> bool:
    """Tells whether the little words speak for another language than the one declared."""
    if code not in _LISTED:  # its words may be those of a relative; English has none
        return best == "en" and counts[best] >= MIN_WORDS
    return counts[best] >= MIN_DOUBT and counts[best] > DOUBTED * counts[code]


def _is_refuted_by_letters(code: str, sample: str) -> bool:
    """Tells whether a sample has letters that the declared language lacks, or lacks some of its own."""
    if code == "en":
        marked = len(_MARKED.findall(sample))
        return marked >= MIN_MARKED and marked >= MARKED_SHARE * len(sample)
    if code == "ar":
        return len(_PERSIAN.findall(sample)) >= MIN_DOUBT
    needed = _NEEDED.get(code)
    return bool(needed and not needed.search(sample) and len(_FOREIGN.findall(sample)) >= MIN_NEEDED)


def _is_far_ahead(counts: Counter[str]) -> bool:
    """Tells whether one language has far more little words than all others."""
    *others, most = sorted(counts.values())
    return not others or most >= AHEAD * others[-1]


def _is_chinese(sample: str) -> bool:
    """Tells whether a sample is too long for Japanese without Kana, and for Korean without Hangul."""
    kana, hangul, han = (len(letters.findall(sample)) for letters, _ in _BY_SCRIPT[:3])
    return han >= MIN_HAN and not kana and not hangul


def _primary_subtag(declared: str) -> str:
    """Returns the ISO 639-1 code at the beginning of a language tag (RFC 5646, 2.1), '' if there is none."""
    tag = declared.strip().lower().replace("_", "-").split(",")[0].split("-")[0].strip()
    tag = RETIRED.get(tag, tag)
    return tag if tag in ISO_639_1 else ""


def _script_allows(code: str, sample: str, possible: tuple[str, ...]) -> bool:
    """Tells whether the script of a sample leaves a declared language possible."""
    if possible:
        return code in possible
    return code not in _NEVER_LATIN or bool(_FOREIGN.search(sample)) or not _LETTER.search(sample)


def _languages_of_script(sample: str) -> tuple[str, ...]:
    """Returns the languages that the script allows; () for Latin script, or none at all."""
    if sample.isascii():
        return ()
    foreign = len(_FOREIGN.findall(sample))
    if not foreign or foreign < MIN_FOREIGN * len(_LETTER.findall(sample)):
        return ()
    counts = [len(letters.findall(sample)) for letters, _ in _BY_SCRIPT]
    if counts[0] * 10 > counts[2]:  # one Kana to nine Han is Japanese, a brand name in Chinese is not
        counts[2] = 0
    return _BY_SCRIPT[counts.index(max(counts))][1] if any(counts) else ()


def _classify(sample: str, possible: tuple[str, ...]) -> str:
    """Classifies a sample: the most probable language."""
    if "fa" in possible and _PERSIAN.search(sample) and not _OTHER_ARABIC.search(sample):
        return "fa"
    if possible[:1] == ("he",):
        return "he"
    if sum(map(len, _WORD.findall(sample))) < MIN_LETTERS:
        return ""
    with pause_cpu_limit():  # the first guess unpacks the model
        code = _primary_subtag(classify(sample))
    return code if not possible or code in possible else possible[0]
