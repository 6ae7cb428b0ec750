"""Strips elements from a page's source that add nothing to its text, before it is parsed.

Manuals are full of them: each word of an example in a colour of its own, names of functions as code.
"""

import re

SAMPLE = 8 * 1024  # bytes of the main text; its beginning is looked at, and its middle
MANY = 24  # colours in a sample: fewer cost less to read than to take out

# None that parts what would else be markup: `<<span class="x">b</span>`, `&<span class="x">copy</span>`.
_PARTS = {
    **{name: rb"%b(?<![<&]<%b)" % (name, name) for name in (b"span", b"code", b"a")},
    b"class": rb' class="[^"<>]*+">',
    b"text": rb"([^<]*+)(?<!&)</span>",
}
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
