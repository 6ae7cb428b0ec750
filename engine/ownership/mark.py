"""Makes the mark by which a site shows whose it is, and finds it in a file and in a page.

Who asks gets a random key. The mark is a hash of host and key: everybody may see it on the site, nobody
finds the key by it, and on another host it means nothing. So whose key's mark the host shows is its owner.
"""

import re
import secrets
from hashlib import sha256
from html.parser import HTMLParser

KEY_BYTES = 32  # 256 random bits, 43 letters
VALUE_LETTERS = 32  # of a hash, in base 16: 128 bits, of which somebody would have to find a key
FIELD = "lycosa-verification"  # the name of the META element, and what the file begins with
# A key that somebody made up could be guessed from its mark.
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_HEAD = frozenset({"html", "head", "title", "base", "link", "meta", "style", "script", "noscript"})


def make_key() -> str:
    """Makes the key of one who says that a host is his."""
    return secrets.token_urlsafe(KEY_BYTES)


def is_key(typed: str) -> bool:
    """Tells whether a text has the form of our keys."""
    return bool(_KEY.fullmatch(typed))


def make_value(host: str, key: str) -> str:
    """Makes the value that a host, as scheme://name[:port], has to show for a key."""
    return sha256(f"{FIELD} {host} {key}".encode()).hexdigest()[:VALUE_LETTERS]


def file_path(value: str) -> str:
    """Returns the path of the file that shows a value.

    At the root, where other search engines have theirs: a name below /.well-known/ has to be registered (RFC
    8615, 3.1), and programs that make or upload sites leave out folders that begin with a dot.
    """
    return f"/lycosa-{value}.txt"


def file_text(value: str) -> str:
    """Returns what the file says: more than its name, which error pages may repeat."""
    return f"{FIELD}: {value}"


def meta_element(value: str) -> str:
    """Returns the META element that shows a value."""
    return f'<meta name="{FIELD}" content="{value}">'


def is_in_file(body: bytes, value: str) -> bool:
    """Tells whether a file says that, and nothing else but spaces and a byte order mark."""
    return body.decode("utf-8-sig", "replace").strip() == file_text(value)


def is_in_page(body: bytes, value: str) -> bool:
    """Tells whether a page has the META element in its head: its body may be what visitors have written."""
    head = _Head(value)
    head.feed(body.decode("utf-8", "replace"))
    return head.is_found


class _Head(HTMLParser):
    """Looks for the element until the head ends. In Python: the bytes are a stranger's."""

    def __init__(self, value: str) -> None:
        super().__init__()
        self.is_found, self._value, self._is_over = False, value, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_over |= tag not in _HEAD
        if tag == "title":
            self.set_cdata_mode(tag)  # which some versions of Python take for markup
        if tag != "meta" or self._is_over:
            return
        fields = dict(reversed(attrs))  # the first of a name counts (HTML, 13.2.5.33)
        name, content = (fields.get(field) or "" for field in ("name", "content"))
        self.is_found |= name.strip().lower() == FIELD and content.strip() == self._value

    def handle_endtag(self, tag: str) -> None:
        self._is_over |= tag in ("head", "html")

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Skips a bogus comment (HTML, 13.2.5.42), at which Python raises AssertionError without a name."""
        return self.parse_bogus_comment(i)
