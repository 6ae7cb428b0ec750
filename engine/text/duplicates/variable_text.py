"""Masks what changes in a line from one visit to the next: dates, times, counters."""

import re

MARK = "\N{REPLACEMENT CHARACTER}"  # replaces what changes

_HAS_DIGIT = re.compile(r"\d")
# What may be a number or hold one; letters of other scripts part it, as in 2026年11月21日.
_RUN = re.compile(r"[A-Za-z_\d.,:/+\-]+")
# A number with its signs, a time with its zone, an ordinal: what has other letters is a name (sha256).
_CHANGING = re.compile(r"[.,:/+\-]*\d[\d.,:/+\-]*(?:t\d[\d.,:+\-]*z?|st|nd|rd|th|am|pm)?[.,:/+\-]*")
# A day, a word, a year: a date in any language that writes it so.
_DATE = re.compile(r"\b(\d{1,2}\.?) (?:de )?[^\W\d_]{3,12}\.?,? (?:de )?((?:19|20)\d\d)\b")
_CALENDAR = re.compile(
    r"\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|[ap]\.?m|(?:second|minute|hour|day|week|month|year)s?)\b"
)


def mask_variable_words(line: str) -> str:
    """Masks each word that changes with a mark, in lower case; a line without digits stays."""
    if not _HAS_DIGIT.search(line):
        return line
    marked = _RUN.sub(_mask_run, _DATE.sub(rf"\1 {MARK} \2", line))
    return _CALENDAR.sub(MARK, marked)


def count_changed_numbers(one: str, other: str) -> int:
    """Counts the numbers in which two lines differ that are the same when masked."""
    pairs = zip(_numbers(one), _numbers(other), strict=False)
    return sum(mine != theirs for mine, theirs in pairs)


def _numbers(line: str) -> list[str]:
    return [run for run in _RUN.findall(line) if _CHANGING.fullmatch(run)]


def _mask_run(run: re.Match[str]) -> str:
    return MARK if _CHANGING.fullmatch(run[0]) else run[0]
