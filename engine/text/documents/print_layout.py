"""Strips running heads and page numbers from pages made for paper, and finds their title."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from engine.text.html import MAX_TITLE

FEWEST_SHEETS = 3  # on fewer nothing can be said to repeat itself
EDGE = 2  # lines at the top and at the bottom in which running heads and page numbers stand
SHARE = 1 / 3  # of all sheets; left and right ones may have heads of their own
SAME = 0.95  # of the height of the highest line
MAX_HEADING_LINES = 3  # a document without headings would be one whole
MAX_LOST = 1_000  # characters of repeated lines that are kept beside the text

_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_PARTED = re.compile("[\x02\ufffe](.?)")  # where PDFium has joined what a hyphen parted at a line's end
_NUMBER = re.compile(r"\b\d+\b")
_LETTER = re.compile(r"[^\W\d_]")
_PROGRAM = re.compile(
    r"^(?:Microsoft (?:Office )?(?:Word|PowerPoint|Excel)|Print) *[-\u2013] *", re.IGNORECASE
)
_FILE_NAME = re.compile(
    r"^(?:file:|[a-z]:\\|[/\\]).*|\.(?:docx?|dvi|eps|html?|indd|od[pst]|p65|pages|pdf|pmd|pptx?|ps|qxd|rtf|tex|txt|xlsx?)$",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"(?:untitled|title|no ?title|(?:document|slide|presentation|workbook) ?\d*)\W*\d*"
    r"|power ?point\W*(?:pr[eä]senta\w+|演示文稿)|(?:pr[eé][sz]enta\w+|презентация)(?: \w+)? power ?point",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?"
)  # ISO 32000, 7.9.4
_LEAST = (1, 1, 1, 0, 0, 0)


class PageLines(NamedTuple):
    """The lines of each sheet, and those that stood on many, each once."""

    lines: Sequence[Sequence[str]]
    repeated: Sequence[str]


def split_lines(text: str) -> list[str]:
    """Splits a text into lines that say something; joins words that a line's end parted."""
    shown = (
        _BLANKS.sub(" ", line).strip()
        for line in _PARTED.sub(_join_hyphenated, text.replace("\xad", "")).splitlines()
    )
    return [line for line in shown if line]


def _join_hyphenated(parted: re.Match[str]) -> str:
    """Joins the parts of a word; a name keeps the hyphen that stood at a line's end."""
    return parted[1] if parted[1].islower() or not parted[1].isalnum() else f"-{parted[1]}"


def remove_running_heads(sheets: Sequence[Sequence[str]]) -> PageLines:
    """Removes lines that many pages have at their top or bottom, numbers aside."""
    if len(sheets) < FEWEST_SHEETS:
        return PageLines(sheets, ())
    counts = Counter(
        shape for lines in sheets for shape in {_NUMBER.sub("#", line) for line in _edge_lines(lines)}
    )
    least = max(FEWEST_SHEETS, SHARE * len(sheets))
    often = {shape for shape, number in counts.items() if number >= least}
    repeated: dict[str, str] = {}
    kept = []
    for lines in sheets:
        at_edge = [n for n in _edge_numbers(lines) if _NUMBER.sub("#", lines[n]) in often]
        for n in at_edge:
            if _LETTER.search(lines[n]):
                repeated.setdefault(_NUMBER.sub("#", lines[n]), lines[n])
        kept.append([line for n, line in enumerate(lines) if n not in at_edge])
    return PageLines(kept, tuple(repeated.values()))


def _edge_numbers(lines: Sequence[str]) -> list[int]:
    """Returns which lines are at an edge; most of a sheet is not."""
    edge = min(EDGE, len(lines) // 3)
    return [*range(edge), *range(len(lines) - edge, len(lines))]


def _edge_lines(lines: Sequence[str]) -> list[str]:
    return [lines[n] for n in _edge_numbers(lines)]


def find_largest_lines(lines: Sequence[tuple[float, str]]) -> str:
    """Finds, of lines with their heights, the highest with letters, and those of its height below it."""
    sizes = [(height, " ".join(split_lines(line))) for height, line in lines if _LETTER.search(line)]
    top = max((height for height, _ in sizes), default=0.0)
    heading: list[str] = []
    for height, line in sizes:
        if height < SAME * top:
            if heading:
                break
        elif len(heading) < MAX_HEADING_LINES:
            heading.append(line)
    return " ".join(heading)[:MAX_TITLE]


def choose_title(declared: str, heading: str, url: str) -> str:
    """Chooses a title for people: the one declared, unless by a program; a heading; the file's name."""
    declared = _PROGRAM.sub("", " ".join(declared.split()))
    if not _LETTER.search(declared) or _FILE_NAME.search(declared) or _NO_TITLE.fullmatch(declared):
        declared = ""
    return (declared or heading or _file_name(url))[:MAX_TITLE]


def _file_name(url: str) -> str:
    """Returns the last part of a URL's path, in words."""
    name = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    return " ".join(_FILE_NAME.sub("", name).replace("_", " ").replace("-", " ").split())


def parse_pdf_date(date: str) -> float | None:
    """Parses a date of PDF (ISO 32000, 7.9.4) to seconds since 1970, None when it is none."""
    match = _DATE.match(date.strip())
    if not match:
        return None
    *parts, sign, hours, minutes = match.groups()
    year, month, day, *clock = (int(part or least) for part, least in zip(parts, _LEAST, strict=True))
    shift = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-shift if sign == "-" else shift) if sign else UTC
        hour, minute, second = clock
        return datetime(year, month, day, hour, minute, second, tzinfo=zone).timestamp()
    except (ValueError, OverflowError):
        return None
