"""Reads META robots and X-Robots-Tag into one Directives (requirements 197-218).

Whatever is said in several places adds up to the most restrictive sum (C22).
"""

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain, islice

from selectolax.lexbor import LexborHTMLParser
from w3lib.encoding import read_bom

HEADERS = ("x-robots-tag", "robots-tag")  # requirement 218
EVERYBODY = ("robots", "*")
NONE = ("noindex", "nofollow")  # requirement 204; not noarchive (C25)
NO_COPY = ("noarchive", "nocache")  # nocache is Bing's name for it

MAX_PARTS = 1_000  # directives on one page; people write a handful, and of more all that can be asked counts
MAX_DATE = 64  # characters; the longest that RFC 850 makes has 33
MAX_HEAD = 512 * 1024  # characters of a page in which HEAD is looked for; META stands near its beginning

_PART = re.compile(
    r"""
      unavailable_after \s*+ : \s*+ (?P<date>
        (?:(?:mon|tue|wed|thu|fri|sat|sun) [a-z]*+ \s*+ ,)?+ [^,;]*+ (?:, \s*+ [0-9] [^,;]*+)*+ )
    | max-snippet \s*+ : \s*+ (?P<length> -?[0-9]{1,9}) (?![^\s,;])
    | max-[\w-]++ \s*+ : \s*+ [^\s,;]*+
    | (?P<robot> [^\s,;:]++) \s*+ : (?= \s*+ (?:no|all|index|follow|max-|unavailable_))
    | (?P<word> [^\s,;:]++)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""One part of a list. A robot's name has a directive behind its colon, unknown directives have anything."""

_INSIDE_TAG = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"?+|'[^']*+'?+)?+)*+>?+"""
_TOKEN = re.compile(
    rf"""
      <!-- (?: -?> | .*? (?: --!?> | \Z))
    | <html (?=[\s/>]) {_INSIDE_TAG}
    | <(?P<silent> noframes|script|style|template|title) (?=[\s/>]) {_INSIDE_TAG}
        .*? (?: </(?P=silent) (?=[\s/>]) {_INSIDE_TAG} | \Z)
    | (?P<kept> < (?: /[a-z] | (?P<opened> [a-z][^\s/>]*+)) {_INSIDE_TAG} | [^<]++ | < )
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
# HTML, 13.2.6.4.4; with the silent ones all that HEAD may hold. Any other start tag begins BODY.
_HEAD_NAMES = frozenset(["base", "basefont", "bgsound", "head", "link", "meta", "noscript"])


@dataclass(frozen=True, slots=True)
class Directives:
    """The sum of META robots and X-Robots-Tag for one page (requirements 197-220)."""

    index: bool = True
    follow: bool = True
    archive: bool = True
    max_snippet: int | None = None  # characters that may be shown of the page, 0: nosnippet; None: any
    unavailable_after: float | None = None  # seconds since 1970, UTC, from when on it may not be found

    def as_header(self) -> str:
        """Returns the value of an X-Robots-Tag that asks for as much."""
        words = [
            word
            for word, allowed in zip(("noindex", "nofollow", "noarchive"), self._allowed, strict=True)
            if not allowed
        ]
        if self.max_snippet is not None:
            words.append(f"max-snippet:{self.max_snippet}")
        if self.unavailable_after is not None:
            moment = datetime.fromtimestamp(self.unavailable_after, UTC).isoformat()
            words.append(f"unavailable_after: {moment}")
        return ", ".join(words)

    @property
    def _allowed(self) -> tuple[bool, bool, bool]:
        return self.index, self.follow, self.archive

    @classmethod
    def from_page(
        cls, html: str | bytes, headers: list[tuple[str, str]], agent: str, now: float | None = None
    ) -> "Directives":
        """Reads a page's directives for `agent`; `now` in seconds since 1970, by default this moment.

        For a page that nobody has parsed; the read station asks `directives` after its own parse.
        """
        return directives(_metas(html), headers, agent, time.time() if now is None else now)


def directives(
    metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], agent: str, now: float
) -> Directives:
    """Reads the owner's directives for `agent`, a product token with or without version, at time `now`.

    `metas` are (name, content) of the META elements in HEAD, `headers` (name, value) of the response.
    """
    names = (*EVERYBODY, _token(agent))
    of_headers = (_addressed(value, names) for name, value in headers if name.lower() in HEADERS)
    of_metas = (_PART.finditer(content) for name, content in metas if name.strip().lower() in names)
    parts = list(islice(chain.from_iterable(chain(of_headers, of_metas)), MAX_PARTS + 1))
    if len(parts) > MAX_PARTS:
        return Directives(index=False, follow=False, archive=False, max_snippet=0)
    words = {part["word"].lower() for part in parts if part["word"]}
    if "none" in words:
        words.update(NONE)
    lengths = [int(part["length"]) for part in parts if part["length"]]
    if "nosnippet" in words:
        lengths.append(0)
    times = [moment for part in parts if (moment := _moment(part["date"])) is not None]
    return Directives(
        index="noindex" not in words and all(now < moment for moment in times),
        follow="nofollow" not in words,
        archive=words.isdisjoint(NO_COPY),
        max_snippet=min((length for length in lengths if length >= 0), default=None),
        unavailable_after=min(times, default=None),
    )


def _token(robot: str) -> str:
    return robot.partition("/")[0].strip().lower()


def _addressed(value: str, names: tuple[str, ...]) -> Iterator[re.Match[str]]:
    """Yields the parts of a header for us: `name:` begins a part for one robot, up to the next `name:`."""
    ours = True
    for part in _PART.finditer(value):
        if part["robot"]:
            ours = _token(part["robot"]) in names
        elif ours:
            yield part


def _moment(date: str | None) -> float | None:
    """Seconds since 1970 of a date by ISO 8601, RFC 822, RFC 850 or asctime; without zone it is UTC.

    None for what is no date.
    """
    date = (date or "").strip()
    if not date or len(date) > MAX_DATE:
        return None
    for read, spelling in (
        (datetime.fromisoformat, date.upper()),
        (parsedate_to_datetime, date),
        (parsedate_to_datetime, f"{date} GMT"),
        (parsedate_to_datetime, f"{date} 00:00:00 GMT"),
    ):
        try:
            moment = read(spelling)
        except (ValueError, OverflowError):
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None


def _metas(html: str | bytes) -> list[tuple[str, str]]:
    """Reads (name, content) of the META elements in HEAD, as an HTML5 parser sees it (C24)."""
    head = LexborHTMLParser(_beginning(html).encode(errors="replace")).head
    found = [node.attributes for node in head.css("meta[name][content]")] if head else []
    return [(attributes["name"] or "", attributes["content"] or "") for attributes in found]


def _beginning(html: str | bytes) -> str:
    """Cuts the page at the first tag that ends HEAD, and drops the elements in which no META counts.

    What is left out can be written to stop a parser: 500 kB of <div> take it 23 s, of <html a> 5 s.
    """
    if isinstance(html, bytes):
        charset, mark = read_bom(html)
        html = html[len(mark or b"") : MAX_HEAD].decode(charset or "utf-8", "replace")
    kept: list[str] = []
    for token in _TOKEN.finditer(html[:MAX_HEAD].lstrip("\ufeff").replace("\0", "")):
        if token["opened"] and token["opened"].lower() not in _HEAD_NAMES:
            break
        kept.append(token["kept"] or "")
    return "".join(kept)
