"""HTML that was written to stop its reader is made harmless before it is parsed.

An HTML5 parser needs time that grows with the square of the open elements, of the attributes of one
tag, and of the formatting elements that each paragraph opens again. Measured: 500 kB of <div> take
23 s, and 190 kB of <font size=1><p><font size=2><p> take 63 s and 18 GB. The pages of people pass
through here unchanged.
"""

import re

MAX_HTML = 4 * 1024 * 1024  # bytes parsed; Googlebot reads 2 MB
MAX_DEPTH = 512  # open elements: Chromium's limit
MAX_REOPENED = 300_000  # formatting elements times tags: 1,000,000 nodes, 350 MB
MAX_STRETCH = 16 * 1024  # bytes of one tag, or twice that: 8,000 attributes, 0.1 s

_FEW_TAGS = 2_000  # fewer reopen 500,000 elements at most: 0.4 s
_SHALLOW_TAGS = 20_000  # fewer take 0.6 s at most, however they are nested
_FORMAT = rb"(?:b(?:ig)?|code|em|font|i|nobr|s(?:mall|trike|trong)?|tt|u)"  # HTML, 13.2.4.3, without a
_FORMAT_TAG = re.compile(rb"<" + _FORMAT + rb"(?=[\s/>])(?:[^>\"']|\"[^\"]*\"|'[^']*')*")
_FORMAT_NAME = re.compile(rb"<(/?)" + _FORMAT + rb"(?=[\s/>])", re.IGNORECASE)
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")
_VOID = b"area base br col embed hr img input link meta source track wbr"  # HTML, 13.1.2
_CLOSED_BY_THE_NEXT = b"a dd dt li option p td th tr"
_NEVER_DEEP = frozenset((_VOID + b" " + _CLOSED_BY_THE_NEXT).split())
_BARRIERS = frozenset([b"table", b"template", b"button", b"object", b"applet", b"marquee", b"svg", b"math"])
_EMBEDDED = re.compile(rb"data:[^\s<>\"']{1024,}")
_STRETCH = re.compile(rb"(?s).{%d}(?:.{0,%d}?(?=\n<)|[^<]{0,%d})" % ((MAX_STRETCH,) * 3))
_FENCE = rb"""\g<0><!-- '"> -->"""  # between tags, best at a line's end, a comment; inside a tag its end


def disarm(html: bytes) -> bytes:
    """The same page for a person, in a form whose parsing takes bounded time and memory."""
    html = html[:MAX_HTML]
    if len(html) > MAX_STRETCH:
        html = _STRETCH.sub(_FENCE, _EMBEDDED.sub(b"", html))
    tags = html.count(b"<")
    if tags > _FEW_TAGS and tags * len(set(_FORMAT_TAG.findall(html.lower()))) > MAX_REOPENED:
        html = _FORMAT_NAME.sub(rb"<\1span", html)
    return html[: _end_of_shallow(html)] if tags > _SHALLOW_TAGS else html


def _end_of_shallow(html: bytes) -> int:
    """Where the elements become nested too deeply, or the end."""
    opened: list[bytes] = []
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if tag[1]:
            _close(opened, name)
        elif name not in _NEVER_DEEP:
            opened.append(name)
            if len(opened) > MAX_DEPTH:
                return tag.start()
    return len(html)


def _close(opened: list[bytes], name: bytes) -> None:
    """Take the last element of that name off the stack, with what is in it; past a barrier none is closed."""
    for back in range(1, min(len(opened), 16) + 1):
        if opened[-back] == name:
            del opened[-back:]
            return
        if opened[-back] in _BARRIERS:
            return
