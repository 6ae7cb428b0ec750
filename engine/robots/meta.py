"""META robots and X-Robots-Tag -> one Directives (requirements 197-218).

Whatever is said in several places adds up to the most restrictive sum (C22). Dates are not read.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

HEADERS = ("x-robots-tag", "robots-tag")  # requirement 218
EVERYBODY = ("robots", "*")
NONE = ("noindex", "nofollow")  # requirement 204; not noarchive (C25)

_BETWEEN_WORDS = re.compile(r"[\s,;]+")
_SCOPE = re.compile(r"\s*([\w-]+|\*)\s*:\s*(.*)", re.DOTALL)
# Directives that have a colon of their own; they are no names of robots.
_VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


@dataclass(frozen=True, slots=True)
class Directives:
    """The sum of META robots and X-Robots-Tag for one page (requirements 197-220)."""

    index: bool = True
    follow: bool = True
    archive: bool = True
    max_snippet: int | None = None  # characters that may be shown of the page, 0: nosnippet; None: any
    unavailable_after: float | None = None  # seconds since 1970, UTC, from when on it may not be found


def directives(
    metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], agent: str
) -> Directives:
    """What the page's owner asks of `agent`, a product token.

    `metas` are (name, content) of the META elements in HEAD, `headers` (name, value) of the response.
    """
    names = (*EVERYBODY, agent.lower())
    words: set[str] = set()
    for name, content in metas:
        if name.strip().lower() in names:
            words.update(_words(content))
    for name, value in headers:
        if name.lower() in HEADERS:
            words.update(_words_for(value, names))
    if "none" in words:
        words.update(NONE)
    return Directives(
        index="noindex" not in words,
        follow="nofollow" not in words,
        archive="noarchive" not in words,
    )


def _words(text: str) -> list[str]:
    return _BETWEEN_WORDS.split(text.lower())


def _words_for(value: str, names: tuple[str, ...]) -> Iterator[str]:
    """The words of a header that concern us: after `name:` it speaks to one robot, up to the next `name:`."""
    ours = True
    for part in value.split(","):
        scope = _SCOPE.match(part)
        if scope and scope[1].lower() not in _VALUED:
            ours, part = scope[1].lower() in names, scope[2]
        if ours:
            yield from _words(part)
