"""Reads RTF: the paragraphs of a text, cut at its headings (Microsoft, Rich Text Format 1.9.1)."""

import re
import time
from collections.abc import Callable

from engine.errors import PageError
from engine.model import Page
from engine.text.documents import SHARE, DocumentSource, TextLimitReached, build_page, first_heading
from engine.text.office.rtf_parser import RtfParser
from engine.text.office.rtf_text import RtfText

_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?=\{\\rtf)")


def read_rtf(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an RTF; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError('broken') for what is none.
    """
    deadline = clock() + SHARE * source.seconds
    beginning = _BEGINNING.match(source.body)
    if not beginning:
        raise PageError("broken", "no RTF")
    text = RtfText()
    cut = False
    try:
        RtfParser(source.body[beginning.end() :], text, lambda: clock() >= deadline).parse()
    except TextLimitReached:
        cut = True
    return build_page(source, text.builder, text.properties(), first_heading(text.builder), cut=cut)
