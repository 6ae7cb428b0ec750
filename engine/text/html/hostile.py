"""Defuses HTML that was written to exhaust the parser, before it is parsed.

An HTML5 parser needs time that grows with the square of the open elements, of the attributes of one
tag, and of the formatting elements that each paragraph opens again. Measured: 500 kB of <div> take
23 s, and 190 kB of <font size=1><p><font size=2><p> take 63 s and 18 GB. The pages of people pass
through here unchanged.
"""

import re
from itertools import islice

MAX_HTML = 4 * 1024 * 1024  # bytes parsed; Googlebot reads 2 MB
MAX_DEPTH = 512  # open elements: Chromium's limit
MAX_REOPENED = 300_000  # formatting elements times tags: 1,000,000 nodes, 350 MB
MAX_STRETCH = 16 * 1024  # bytes of one tag, or twice that: 8,000 attributes, 0.1 s

_FEW_TAGS = 2_000  # fewer reopen 500,000 elements at most: 0.4 s
_SHALLOW_TAGS = 20_000  # fewer take 0.6 s at most, however they are nested
_FORMAT = rb"(?:b(?:ig)?|code|em|font|i|nobr|s(?:mall|trike|trong)?|tt|u)"  # HTML, 13.2.4.3, without a
_FORMAT_TAG = re.compile(rb"<" + _FORMAT + rb"(?=[\s/>])(?:[^>\"']++|\"[^\"]*\"|'[^']*')*+")
_FORMAT_START, _FORMAT_END = (
    re.compile(begins + _FORMAT + rb"(?=[\s/>])", re.IGNORECASE) for begins in (b"<", b"</")
)
_VOID = b"area base br col embed hr img input link meta source track wbr"  # HTML, 13.1.2
_CLOSED_BY_THE_NEXT = b"a dd dt li option p td th tr"
_NEVER_DEEP = b"|".join((_VOID + b" " + _CLOSED_BY_THE_NEXT).split())
_TAG = re.compile(rb"<(/?+(?!(?:" + _NEVER_DEEP + rb")[\s/>])[a-z][^\s/>]*+)")  # without those: half of all
_BARRIERS = frozenset(b"/table /template /button /object /applet /marquee /svg /math".split())
_EMBEDDED = re.compile(rb"data:[^\s<>\"']{1024,}")
_STRETCH = re.compile(rb"(?s).{%d}(?:.{0,%d}?(?=\n<)|[^<]{0,%d})" % ((MAX_STRETCH,) * 3))
_FENCE = rb"""\g<0><!-- '"> -->"""  # between tags, best at a line's end, a comment; inside a tag its end


def disarm(html: bytes) -> bytes:
    """Disarms a page: the same for a person, in a form whose parsing takes bounded time and memory."""
    html = html[:MAX_HTML]
    if len(html) > MAX_STRETCH:
        html = _STRETCH.sub(_FENCE, _EMBEDDED.sub(b"", html))
    tags = html.count(b"<")
    if tags > _FEW_TAGS and tags * len(set(_FORMAT_TAG.findall(html.lower()))) > MAX_REOPENED:
        html = _FORMAT_END.sub(b"</span", _FORMAT_START.sub(b"<span", html))  # half the price of one pattern
    return html[: _find_end_of_shallow(html)] if tags > _SHALLOW_TAGS else html


def _find_end_of_shallow(html: bytes) -> int:
    """Finds where the elements become nested too deeply, or the end."""
    html = html.lower()
    open_until: list[bytes] = []  # the end tags of the open elements
    for number, tag in enumerate(_TAG.findall(html)):
        if open_until and tag == open_until[-1]:
            open_until.pop()
        elif tag.startswith(b"/"):
            _close_element(open_until, tag)
        else:
            open_until.append(b"/" + tag)
            if len(open_until) > MAX_DEPTH:
                return next(islice(_TAG.finditer(html), number, None)).start()
    return len(html)


def _close_element(open_until: list[bytes], tag: bytes) -> None:
    """Takes the last element that a tag ends off the stack, with what is in it, up to a barrier."""
    for back in range(1, min(len(open_until), 16) + 1):
        if open_until[-back] == tag:
            del open_until[-back:]
            return
        if open_until[-back] in _BARRIERS:
            return
