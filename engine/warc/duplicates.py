"""Names copies in an archive: which record is of a URL that another page represents.

Whoever reads such an archive in another order, or page by page, would choose others of nearly equal pages.
A writer may add fields of its own, and readers pass over those that they do not know (ISO 28500).
"""

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from engine.warc.library import import_fastwarc

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

DUPLICATE_OF = "Duplicate-Of"
NAMES_DUPLICATES = f"copies: {DUPLICATE_OF}"  # a line of the record with which a file begins
_VERSION_END = b"\r\n"
_INFO = "warcinfo"
_MAX_INFO = 64 * 1024  # bytes of such a record


def name_duplicate(record: bytes, of: str) -> bytes:
    """Adds to a packed record, of which URL it is a copy."""
    version, end, rest = gzip.decompress(record).partition(_VERSION_END)
    named = b"".join((version, end, f"{DUPLICATE_OF}: {of}".encode(), end, rest))
    return gzip.compress(named, compresslevel=6, mtime=0)


def parse_duplicate(record: "WarcRecord") -> str:
    """Returns the URL of which a record is a copy, '' where it names none."""
    return (record.headers.get(DUPLICATE_OF) or "").strip()


def names_duplicates(path: Path) -> bool:
    """Tells whether a file says that all its copies are named. Raises OSError."""
    with path.open("rb") as file:
        records = import_fastwarc().ArchiveIterator(file, parse_http=False, max_header_len=_MAX_INFO)
        try:
            first = next(records)
            lines = first.reader.read(_MAX_INFO).splitlines() if first.reader else []
        except (StopIteration, OSError):
            return False
    return str(first.record_type) == _INFO and NAMES_DUPLICATES.encode() in lines
