"""Octets that are no text, and texts that speak to more than their readers."""

from collections.abc import Callable

from tests.web.scripted import prose
from tests.zoo.behaviour import LOST, STORED, Behaviour
from tests.zoo.markup import around, body

MAYBE = (*LOST, STORED, "alias")
UTF_7 = b"<title>Seven</title>+ADw-script+AD4-alert(1)+ADw-/script+AD4-" + prose("seven").encode()
OVERLONG = b"<title>Long</title>\xc0\xbcscript\xc0\xbealert(1)\xe0\x80\xaf" + prose("overlong").encode()
LONE = "\ud800\udfff"
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b31m\x08\x08\r\x00"
SCRIPT = "</title><script>alert(1)</script>'\"><img src=x onerror=alert(1)>"
JINJA = "{{ 7 * 7 }}{% for x in () %}{{ config }}${7*7}<%= 7 %>"


def row(
    name: str, why: str, source: Callable[[], bytes | str], kind: str = "text/html", *, quick: bool = False
) -> Behaviour:
    return Behaviour(name, why, body(source, kind), MAYBE, 1, quick=quick)


BEHAVIOURS = (
    row(
        "charset lie",
        "Shift_JIS called UTF-8",
        lambda: around("これは本文です" * 99).encode("shift_jis"),
        "text/html; charset=utf-8",
    ),
    row(
        "charset of no name",
        "nobody has it",
        lambda: around("words"),
        f"text/html; charset={'x' * 9999}",
        quick=True,
    ),
    row(
        "charset that is a codec",
        "Python would run it",
        lambda: around("words"),
        "text/html; charset=bz2_codec",
        quick=True,
    ),
    row("UTF-7", "hides tags", lambda: UTF_7, "text/html; charset=utf-7", quick=True),
    row("overlong UTF-8", "hides tags", lambda: OVERLONG, quick=True),
    row("lone surrogates", "no database takes them", lambda: around(LONE), quick=True),
    row("NULs", "end a string in C", lambda: around("a\0b\0" * 9999), quick=True),
    row("UTF-16 cut", "half a character", lambda: around("words").encode("utf-16")[:-1]),
    row("UTF-32", "browsers have none", lambda: around("words").encode("utf-32")),
    row(
        "escapes in the title",
        "speak to the terminal",
        lambda: f"<title>Escapes {ESCAPES}</title>{ESCAPES}{prose('esc')}",
        quick=True,
    ),
    row(
        "script in the title",
        "runs in the search page",
        lambda: f"<textarea>{SCRIPT}</textarea><title>{SCRIPT.replace('<', '&lt;')}</title>{prose('xss')}",
        quick=True,
    ),
    row(
        "template in the title",
        "runs in the search page",
        lambda: f"<title>{JINJA}</title><p>{JINJA}</p>{prose('jinja')}",
    ),
    row("octets", "all of them, 9 MB", lambda: bytes(range(256)) * 35_000),
    row("plain text of 9 MB", "one line", lambda: "word " * 1_800_000, "text/plain"),
    row("plain text of line ends", "nine million lines", lambda: "\n" * 9_000_000, "text/plain"),
    row(
        "ISO-2022 of switches",
        "a charset in each character",
        lambda: b"\x1b$B\x1b(B" * 1_000_000,
        "text/html; charset=iso-2022-jp",
    ),
    row("GB 18030", "of all octets", lambda: bytes(range(128, 256)) * 50_000, "text/html; charset=gb18030"),
    row("Markdown of 5 MB", "brackets", lambda: "[" * 5_000_000, "text/markdown"),
)
