"""Makes a page a document: texts of its fields, terms of its keys, what is stored of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from engine.index.documents.own_signals import SignalTerms, no_signals
from engine.index.documents.template import NOTHING, RepeatedBlocks, move_repeated, strip_repeated_words
from engine.index.documents.text_limits import limit_texts
from engine.index.schema import NAMES, REST, SIGNAL, TEXT_FIELDS, day_of, make_name_terms, sites_of, type_of
from engine.index.stored_pages import encode_kept_runs, list_definitions
from engine.linkgraph import Anchor
from engine.model import Page
from engine.packing import packing, texts
from engine.store import Change
from engine.url import host_of

MAX_VOICES = 4  # times that one anchor text counts, however many voters chose it


class Document(NamedTuple):
    """A page as it is indexed: `texts` in the order of TEXT_FIELDS, terms by key, stored fields."""

    texts: tuple[str, ...]
    language: str
    keys: dict[str, Sequence[str]]
    stored: dict[str, Any]


def make_document(
    change: Change,
    anchors: Sequence[Anchor],
    of_host: RepeatedBlocks = NOTHING,
    targets: Iterable[int] = (),
    signals: SignalTerms = no_signals,
) -> Document:
    """Makes a document of a change's page, which it has, with the words of its inlinks, the targets of its
    outlinks and the levels of own signals.

    What is `of_host` counts as the rest of the page, where every word can be found, but weighs
    little (requirement 308).
    """
    page, content, of_host = _read_page(change, of_host)
    every = [section.heading for section in page.sections]
    headings = [heading for heading in every if heading not in of_host.headings]
    texts = _collect_texts(page, headings, anchors, of_host)
    keys = {
        "url": (page.url,),
        "host": (host_of(page.url),),
        "language": (page.language,),
        "flag": (page.flag or "",),
        "site": sites_of(host_of(page.url)),
        "type": (type_of(page.media_type),),
        "day": (day_of(page, change.fetched_at),),
        "link": tuple(map(str, targets)),
        SIGNAL: signals(page),
        NAMES: ()
        if page.flag
        else make_name_terms(page.title, headings, anchors, list_definitions(page.sections)),
    }
    stored = {
        "url": page.url,
        "language": page.language,
        "media_type": page.media_type,
        "fetched_at": change.fetched_at,
        "content": content,
        "kept": encode_kept_runs(page, of_host.lines),
    }
    return Document(tuple(limit_texts([texts[name] for name in TEXT_FIELDS])), page.language, keys, stored)


def _collect_texts(
    page: Page, headings: Sequence[str], anchors: Sequence[Anchor], of_host: RepeatedBlocks
) -> dict[str, str]:
    """Collects the text of each field; `headings`: the page's own."""
    own_page = move_repeated(page, of_host.lines)
    return {
        "title": page.title,
        "subject": strip_repeated_words(page.title, of_host.title_words),
        "headings": "\n".join(headings),
        "anchor": "\n".join(anchor.text for anchor in anchors for _ in range(_count_voices(anchor))),
        "path": _path_words(page.url),
        "description": page.description,
        "keywords": page.keywords,
        "body": "\n".join(section.text for section in own_page.sections),
        REST: "\n".join([own_page.rest, *sorted(of_host.headings)]),
    }


def _read_page(change: Change, of_host: RepeatedBlocks) -> tuple[Page, bytes, RepeatedBlocks]:
    """Returns the page, as it is stored, and what of it is its host's.

    Of one that has nothing to say only its name (requirement 307).
    """
    assert change.page
    assert change.packed
    if not change.page.flag:
        content = packing.strip_links(change.packed.content)
        is_new = content.startswith(texts.MARK)
        return change.page, content if is_new else texts.pack(change.page), of_host
    page = replace(change.page, sections=(), description="", keywords="", rest="")
    return page, texts.pack(page), NOTHING


def _count_voices(anchor: Anchor) -> int:
    """Counts how often an anchor text counts: once for 1 voter, twice for 2, three times for 4."""
    return min(anchor.voters.bit_length(), MAX_VOICES)


def _path_words(url: str) -> str:
    """Returns what stands in a URL behind its host, unescaped."""
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")
