"""Strips elements from a page's source that add nothing to its text, or hide it, before it is parsed.

Manuals are full of the former: each word of an example in a colour of its own, names of functions as code.
"""

import re
from collections import Counter

SAMPLE = 8 * 1024  # bytes of the main text; its beginning is looked at, and its middle
MANY = 24  # colours in a sample: fewer cost less to read than to take out

# None that parts what would else be markup: `<<span class="x">b</span>`, `&<span class="x">copy</span>`.
_PARTS = {
    **{name: rb"%b(?<![<&]<%b)" % (name, name) for name in (b"span", b"code", b"a")},
    b"class": rb' class="[^"<>]*+">',
    b"text": rb"([^<]*+)(?<!&)</span>",
}
_NOSCRIPT_END = re.compile(rb"</noscript[^>]{0,64}>", re.IGNORECASE)
_TAG = re.compile(rb"<(/?[a-z][a-z0-9]*)")
# Elements in which the end tag of another is ignored: special, and never ended by another (HTML, 13.2.4.2).
_CLOSED = frozenset(
    b"""
    address article aside blockquote button center details dir div dl fieldset figure footer form header
    hgroup main menu nav ol pre section summary table ul
""".split()
)
_NOTHING = re.compile(
    rb"<(?:%(span)b%(class)b(?:%(text)b|<span%(class)b%(text)b</span>)"
    rb"|%(code)b%(class)b<span%(class)b%(text)b</code>"
    rb'|%(a)b class="headerlink" href="#[^"<>]*+" title="[^"<>]*+">[^<]*+</a>)' % _PARTS
)


def strip_highlighting(source: bytes) -> bytes:
    """Strips colours of code and signs behind headings, where they are many.

    Only where an author calls his main text so: elsewhere a SPAN may be what says whose page it is.
    """
    main = source.find(b'role="main"')
    if main < 0 or not any(_is_coloured(source, at) for at in (main, (main + len(source)) // 2)):
        return source
    return b"".join(filter(None, _NOTHING.split(source)))  # split() costs a third of sub()


def _is_coloured(source: bytes, at: int) -> bool:
    return source.count(b"<span", at, at + SAMPLE) >= MANY


def strip_misnested_noscript(source: bytes) -> bytes:
    """Strips NOSCRIPT elements that end before what they open: `<noscript><div></noscript>`.

    Browsers run scripts and read what is in NOSCRIPT as text. To a parser without scripts its end tag would
    end nothing, and all that follows would stand in it and be lost (HTML, 13.2.6.4.7).
    """
    kept, begin, last_end = [], 0, 0
    for end in _NOSCRIPT_END.finditer(source):
        start = max(source.rfind(name, last_end, end.start()) for name in (b"<noscript", b"<NOSCRIPT"))
        last_end = end.end()
        if start >= 0 and _is_misnested(source[start : end.start()]):
            kept.append(source[begin:start])
            begin = last_end
    return b"".join([*kept, source[begin:]]) if kept else source


def _is_misnested(inside: bytes) -> bool:
    """Tells whether an element, up to its end tag, opens more than it closes."""
    tags = Counter(_TAG.findall(inside.lower()))
    return any(
        count > tags[b"/" + name] for name, count in tags.items() if name != b"noscript" and name in _CLOSED
    )
