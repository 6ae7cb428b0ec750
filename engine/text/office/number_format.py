"""Shows numbers of a spreadsheet by their number formats (ECMA-376, part 1, 18.8.30), dates by ISO 8601.

Digits, per cent and dates are shown; colours, currencies, fractions and thousands separators are not: words
are looked for, and 1,234.5 is nobody's word.
"""

import re
from datetime import datetime, timedelta
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

MAX_CODE = 255  # characters of a format's code: what Excel takes
MAX_DECIMALS = 30  # that Excel shows
MAX_KNOWN = 4_096  # codes remembered; Excel takes 250 of one's own
LAST_DAY = 2_958_466  # the day behind 9999-12-31, counted from EPOCH
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # 18.17.4.1
LEAP_DAY = 60  # 1900-02-29, which there was in Lotus 1-2-3 alone
WHOLE = 1e15  # numbers below it are exact
DIGITS = 10  # significant ones of a number without a format, as Excel shows it

BUILT_IN = {
    **dict.fromkeys((1, 3, 37, 38), "0"),
    **dict.fromkeys((2, 4, 39, 40), "0.00"),
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "y-m-d"),
    **dict.fromkeys((18, 19, 20, 21, *range(32, 36), 45, 55, 56), "h:mm:ss"),
    22: "y-m-d h:mm",
    46: "[h]:mm:ss",
    47: "h:mm:ss",
    48: "0.0E+0",
}
"""The codes of the ids that files need not define, as far as they matter here."""

_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]', re.DOTALL)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_DIGITS = re.compile(r"[0#?][0#?,]*(?:\.([0#?]*))?")


class NumberFormat(NamedTuple):
    """What a code makes of a number."""

    day: bool = False  # it is a date
    time: bool = False  # it is a time of the day
    elapsed: bool = False  # it is a time that may be longer than a day
    percent: bool = False
    exponent: bool = False
    decimals: int | None = None  # None: as many as it has


@lru_cache(maxsize=MAX_KNOWN)
def parse_number_format(code: str) -> NumberFormat:
    """Parses the first section of a code, which is that of positive numbers."""
    code = code[:MAX_CODE]
    bare = _LITERAL.sub("", code).partition(";")[0].lower()
    if "general" in bare:
        return NumberFormat()
    if _ELAPSED.search(code):
        return NumberFormat(elapsed=True)
    time = "h" in bare or "s" in bare
    if time or "y" in bare or "d" in bare or "m" in bare:
        return NumberFormat(day="y" in bare or "d" in bare or not time, time=time)
    digits = _DIGITS.search(bare)
    if not digits or "/" in bare or "@" in bare:
        return NumberFormat()
    decimals = min(len(digits[1] or ""), MAX_DECIMALS)
    return NumberFormat(percent="%" in bare, exponent="e" in bare, decimals=decimals)


def show_number(value: str, code: str, epoch: datetime = EPOCH) -> str:
    """Shows a number as a person sees it; what is none is shown as it is."""
    try:
        number = float(value)
    except ValueError:
        return value
    if not isfinite(number):
        return value
    kind = parse_number_format(code)
    if kind.day or kind.time or kind.elapsed:
        return _show_moment(number, kind, epoch) or value
    if kind.decimals is None:
        return str(int(number)) if number.is_integer() and abs(number) < WHOLE else f"{number:.{DIGITS}g}"
    if kind.percent:
        return f"{100 * number:.{kind.decimals}f}%"
    return f"{number:.{kind.decimals}{'E' if kind.exponent or abs(number) >= WHOLE else 'f'}}"


def _show_moment(days: float, kind: NumberFormat, epoch: datetime) -> str:
    """Shows a date or time, '' for one out of range."""
    if not 0 <= days < LAST_DAY:
        return ""
    seconds = round(days * 86_400)
    if kind.elapsed or (kind.time and not kind.day):
        hours, rest = divmod(seconds if kind.elapsed else seconds % 86_400, 3_600)
        return f"{hours:02}:{rest // 60:02}" + (f":{rest % 60:02}" if rest % 60 else "")
    if epoch == EPOCH and days < LEAP_DAY:
        seconds += 86_400
    try:
        at = epoch + timedelta(seconds=seconds)
    except OverflowError:
        return ""
    if not kind.time:
        return at.date().isoformat()
    return at.isoformat(" ", "seconds" if at.second else "minutes")
