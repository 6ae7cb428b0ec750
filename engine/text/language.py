"""Which language a text is in: what its page declares, its script, and only then a statistical guess."""

import re

SAMPLE = 300  # characters looked at; on 3,480 paragraphs in 14 languages no error, as with 1,000, in 0.1 ms
MIN_LETTERS = 24  # letters below which a guess between languages of one script is worth nothing
MIN_ENGLISH = 6  # English function words that can settle it, at a fifth of a guess's cost
ENGLISH_SHARE = 1 / 12  # of all words; of 2,520 paragraphs in six other languages with Latin script, none
ENGLISH_SAMPLE = 1_000  # characters in which they are looked for: a page may begin with names
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
_ENGLISH = re.compile(r"\b(?:[Tt]he|and|of|[Tt]his|that|with|from|which|are)\b")
_PERSIAN = re.compile("[پچژگ]")
_OTHER_ARABIC = re.compile("[ٹڈڑںےہھټډړښېێۆەڭۇ]")  # of Urdu, Pashto, Kurdish, Uighur


def language(declared: str, text: str) -> str:
    """The ISO 639-1 code of a text's language, '' when nobody can tell.

    `declared` is what lang= or Content-Language says; it is believed unless the script speaks against it.
    """
    sample = text[:SAMPLE]
    possible = _possible(sample)
    code = _code(declared)
    if code and _fits(code, sample, possible):
        return code
    if len(possible) == 1:
        return possible[0]
    if not possible and _is_english(text[:ENGLISH_SAMPLE]):
        return "en"
    return _guess(sample, possible)


def _code(declared: str) -> str:
    """The ISO 639-1 code at the beginning of a language tag (RFC 5646, 2.1), '' if there is none."""
    tag = declared.strip().lower().replace("_", "-").split(",")[0].split("-")[0].strip()
    tag = RETIRED.get(tag, tag)
    return tag if tag in ISO_639_1 else ""


def _fits(code: str, sample: str, possible: tuple[str, ...]) -> bool:
    """Whether the script of a sample leaves a declared language possible."""
    if possible:
        return code in possible
    return code not in _NEVER_LATIN or bool(_FOREIGN.search(sample)) or not _LETTER.search(sample)


def _possible(sample: str) -> tuple[str, ...]:
    """The languages that the script allows; () for Latin script, or none at all."""
    if sample.isascii():
        return ()
    foreign = len(_FOREIGN.findall(sample))
    if not foreign or foreign < MIN_FOREIGN * len(_LETTER.findall(sample)):
        return ()
    counts = [len(letters.findall(sample)) for letters, _ in _BY_SCRIPT]
    if counts[0] * 10 > counts[2]:  # one Kana to ten Han is Japanese, a brand name in Chinese is not
        counts[2] = 0
    return _BY_SCRIPT[counts.index(max(counts))][1] if any(counts) else ()


def _is_english(sample: str) -> bool:
    """Whether English function words settle it."""
    english = len(_ENGLISH.findall(sample))
    return english >= MIN_ENGLISH and english >= ENGLISH_SHARE * len(sample.split())


def _guess(sample: str, possible: tuple[str, ...]) -> str:
    """The most probable language of a sample."""
    if "fa" in possible and _PERSIAN.search(sample) and not _OTHER_ARABIC.search(sample):
        return "fa"
    if possible[:1] in (("zh",), ("he",)):  # Han without Kana or Hangul; Hebrew letters
        return possible[0]
    if len(_LETTER.findall(sample)) < MIN_LETTERS:
        return ""
    from py3langid import classify  # here, because its model takes 0.7 s and 100 MB, and few pages need it

    code = _code(classify(sample)[0])
    return code if not possible or code in possible else possible[0]
