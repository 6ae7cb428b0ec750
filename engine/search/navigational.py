"""Tells whether a query names one page, to which a person wants to go rather than to search for it.

A page is named by its title without the name of its site, by the last steps of its path, by what links to it
say, and the front page of a host by the name of that. One hit has to have more of these signs than any other
in its language: of a manual in eight languages each page is called alike in several.
"""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from engine.index.lexicon import Lexicon
from engine.index.query import parse_syntax, to_plain_words
from engine.index.schema import MAX_NAME, fold_whole_name
from engine.model import Hit
from engine.url import host_name, registrable_domain

ENOUGH = 2  # signs: a title says it alone, others confirm each other
SHARED = 2  # other hits of the host whose titles have the same part: it is the name of the site
STEPS = 2  # the last ones of a path, alone or together, that name its page

_SEPARATOR = re.compile(r"\s+[-‐-―|:·•»/]+\s+|:\s+")  # between the names of a page and of its site
_NUMBER = re.compile(r"\A\d+(?:\.\d+)*[.)]\s+")  # before a title, of a chapter
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\Z")  # behind a title: git-status(1)
_INDEX = re.compile(r"(?:index|default|home)(?:\.\w+)+\Z", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[a-z]\w{0,4}(?:\.[a-z]{2})?\Z", re.IGNORECASE)  # of a file: .html, .html.en


def is_navigational(lexicon: Lexicon, typed: str, hits: Sequence[Hit]) -> bool:
    """Tells whether a query names the first of the hits, and none of the others."""
    query = fold_whole_name(typed[: MAX_NAME + 1])
    everywhere = f"{hits[0].title} {unquote(hits[0].url)}"  # what most queries are not in costs little
    if not query or query not in fold_whole_name(everywhere) or len(typed) > MAX_NAME or not _is_plain(typed):
        return False
    signs = _count_signs(query, hits[0], hits)
    if 0 < signs < ENOUGH:
        signs += lexicon.is_called(hits[0].url, query)
    rivals = (hit for hit in hits[1:] if hit.language == hits[0].language)
    return signs >= ENOUGH and all(_count_signs(query, one, hits) < signs for one in rivals)


def _is_plain(typed: str) -> bool:
    """Tells whether a query has nothing but words."""
    syntax = parse_syntax(typed)
    parts = (syntax,) if isinstance(syntax, str) else getattr(syntax, "parts", ())
    return to_plain_words(typed) == typed and all(isinstance(part, str) for part in parts)


def _count_signs(query: str, hit: Hit, hits: Sequence[Hit]) -> int:
    """Counts the signs that a query names a hit; what says it alone counts as ENOUGH."""
    title = _NUMBER.sub("", _IN_BRACKETS.sub("", hit.title))
    bare = _IN_BRACKETS.sub("", _NUMBER.sub("", _strip_site(hit.title, hit, hits)))
    if query in (fold_whole_name(hit.title), fold_whole_name(title), fold_whole_name(bare)):
        return ENOUGH
    if not (names := _name_path(hit.url)):
        return ENOUGH * (query in _name_host(hit.url))
    parts = _SEPARATOR.split(title)
    return (query in (fold_whole_name(parts[0]), fold_whole_name(parts[-1]))) + (query in names)


def _strip_site(title: str, hit: Hit, hits: Sequence[Hit]) -> str:
    """Strips what stands before or behind a title, and likewise in other hits of its host."""
    others = [one.title for one in hits if one is not hit and one.host == hit.host]
    places = list(_SEPARATOR.finditer(title))
    if places and sum(other.endswith(title[places[-1].start() :]) for other in others) >= SHARED:
        return title[: places[-1].start()]
    if places and sum(other.startswith(title[: places[0].end()]) for other in others) >= SHARED:
        return title[places[0].end() :]
    return title


def _name_path(url: str) -> Sequence[str]:
    """Names a page by the last steps of its path; () for the front page of a host."""
    steps = [_INDEX.sub("", step) for step in unquote(urlsplit(url).path).split("/")]
    named = [step for step in steps if step]
    if named:
        named[-1] = _SUFFIX.sub("", named[-1]) or named[-1]
    return [fold_whole_name(" ".join(named[-count:])) for count in range(1, min(STEPS, len(named)) + 1)]


def _name_host(url: str) -> Iterator[str]:
    """Yields the names of a host: docs.example.org, example.org, example."""
    name, domain = host_name(url).removeprefix("www."), registrable_domain(url)
    yield from map(fold_whole_name, (name, domain, domain.partition(".")[0]))
