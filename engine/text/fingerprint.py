"""A page's text as 16 bytes: equal fingerprints are duplicates (requirements 55-57)."""

from hashlib import blake2b

from engine.page import Page

SIZE = 16  # bytes: two of 10**12 different pages share one with a chance of 1 in 10**15


def fingerprint(page: Page) -> bytes:
    """The digest of what a person reads, lines and case aside, links not part; b'' without any text.

    read() left single spaces; folding part by part is fast wherever a part is plain ASCII.
    """
    parts = [part.casefold() for section in page.sections for part in (section.heading, section.text) if part]
    text = " ".join(parts).replace("\n", " ")
    return blake2b(text.encode(), digest_size=SIZE).digest() if text else b""
