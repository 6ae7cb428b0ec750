"""Detects boilerplate pages: errors, captchas, parked domains (requirements 85, 307).

Such pages answer with status 200: to a browser that they do not know, to somebody who may not read, in place
of a site that is not there. A page that tells about them says more, or puts their words in quotes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.model import Flag, Page
from engine.text.analysis import LETTERS
from engine.text.screening.error_phrases import LINES, SENTENCES, TITLES

MAX_SHORT = 800  # characters of text; a page with more has something to say
MAX_OTHER = 250  # characters in sentences without an excuse: a number, an address, who made the server
MAX_TITLED = 5_000  # characters under a title that only such pages have

_SENTENCE = re.compile(r"[.!?。！？؟…]+\s*|\n")
_TITLE_PART = re.compile(r"\s+[|·•–—-]\s+|:\s+")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_ARABIC = re.compile(r"[\u0600-\u06ff\u200c]")
_ENDING = " .!?…。！:"
_QUOTES = frozenset('"`“”‘«„「『')
_EMPTY_LISTING = "index of /"  # as Apache and nginx head the list of a folder
MAX_LISTING = 150  # characters: the columns' names and the way up
_LISTING_FLAG = Flag.DEFAULT


class BoilerplatePhrases:
    """All phrases that are known, with `more` of the operator's, which mean ua-error."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        sentences = {**SENTENCES, Flag.UA_ERROR: (*SENTENCES[Flag.UA_ERROR], *more)}
        self._sentences = _compile_phrases(sentences)
        self._by_letter = _group_by_letter(self._sentences)
        self._lines = _compile_phrases(LINES)
        self._titles = _compile_phrases(TITLES)

    def classify(self, page: Page) -> Flag | None:
        """Classifies a boilerplate page, None for a normal page."""
        length = sum(len(section.heading) + len(section.text) for section in page.sections)
        if length > MAX_TITLED:
            return None
        title = _fold_quotes(page.title).strip(_ENDING)
        if flag := self._titles.get(title):
            return flag
        return self._flag_short(page, title) if length <= MAX_SHORT else None

    def _flag_short(self, page: Page, title: str) -> Flag | None:
        text = _fold_quotes(page.text)
        if title.startswith(_EMPTY_LISTING) and len(text) <= MAX_LISTING:
            return _LISTING_FLAG
        first = text.partition("\n")[0].strip(_ENDING)
        for line in (title, *_TITLE_PART.split(title), first):
            if flag := self._lines.get(line.strip(_ENDING)):
                return flag
        letters = {"", *_FOREIGN.findall(text)}
        known = (phrase for letter in letters for phrase in self._by_letter.get(letter, ()))
        found = [phrase for phrase in known if _contains_phrase(text, phrase)]
        return (
            self._sentences[found[0]] if found and _count_other_characters(text, found) <= MAX_OTHER else None
        )


def _contains_phrase(text: str, phrase: str) -> bool:
    """Tells whether the phrase is in the text, with no quotes open before it in its sentence."""
    if phrase not in text:
        return False
    before = _SENTENCE.split(text[: text.index(phrase)])[-1]
    return _QUOTES.isdisjoint(before)


def _count_other_characters(text: str, phrases: Sequence[str]) -> int:
    """Counts the characters in sentences without any of the phrases."""
    sentences = _SENTENCE.split(text)
    return sum(len(one) for one in sentences if not any(phrase in one for phrase in phrases))


def _compile_phrases(phrases: Mapping[Flag, Iterable[str]]) -> dict[str, Flag]:
    return {_fold_quotes(phrase).strip(_ENDING): flag for flag, some in phrases.items() for phrase in some}


def _group_by_letter(phrases: Iterable[str]) -> dict[str, list[str]]:
    """Groups phrases by one of their letters that English has not, '' for none: few pages have one."""
    by_letter: dict[str, list[str]] = {}
    for phrase in phrases:
        by_letter.setdefault(min(_FOREIGN.findall(phrase), default=""), []).append(phrase)
    return by_letter


def _fold_quotes(text: str) -> str:
    """Folds case and typographic apostrophes; Persian to one spelling."""
    folded = text.casefold().replace("’", "'")
    return folded.translate(LETTERS) if _ARABIC.search(folded) else folded
