"""Finds URLs in prose: news postings, archives of mailing lists (requirement 9)."""

import re
from collections.abc import Iterator

from engine.url.traps import MAX_URL_LENGTH

# What may not stand in a URL ends it (RFC 3986, appendix C: < > and " are what authors put around one).
# What is too long is found one octet too long, and refused as that.
_URL = re.compile(rf"""(?<![a-z0-9+.-])https?://[^\s<>"`{{}}|\\^]{{1,{MAX_URL_LENGTH}}}""", re.IGNORECASE)
_ENDS = ".,;:!?'*_~…。，、；：！？»”’"  # of a sentence, or of what is emphasised
_OPEN = {")": "(", "]": "[", "）": "（", "】": "【"}


def find_urls(text: str) -> Iterator[str]:
    """Finds the http(s) URLs in a text, in order, as they are written; not every one need be valid."""
    for found in _URL.finditer(text):
        if url := _trim_punctuation(found[0]):
            yield url


def _trim_punctuation(url: str) -> str:
    """Strips what belongs to the sentence around a URL: a bracket stays if the URL opens it."""
    while url and (url[-1] in _ENDS or url.count(url[-1]) > url.count(_OPEN.get(url[-1], url[-1]))):
        url = url[:-1]
    return url if url.partition("://")[2] else ""
