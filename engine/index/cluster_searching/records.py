"""Reads what an index stores of pages, and what it packs into columns."""

from base64 import urlsafe_b64decode

from engine.index.cluster_form import RECORD
from engine.index.cluster_searching.moment import Answer
from engine.index.stored_pages import StoredPage, unpack_page
from engine.segment import stored

ALTCHARS = str.maketrans("+/", "-_")


def decode_column(text: str) -> bytes:
    """Decodes a binary doc value: URL-safe base64 without padding, whatever it was written as."""
    return urlsafe_b64decode(text + "==")


def read_record(hit: Answer) -> StoredPage:
    """Reads the stored page of a hit with the field RECORD: base64, of either alphabet."""
    record = decode_column(hit["fields"][RECORD][0].translate(ALTCHARS))
    return unpack_page(stored.unpack_fields(record))
