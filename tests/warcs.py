"""Writes WARC files by hand, as other programs do: record by record, packed or plain; and reads them."""

import gzip
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import zstandard

from engine.warc import read_captures

LIMIT = 10_000  # bytes of a body that are read
URL, DATE = "http://a.test/", "2026-01-02T03:04:05Z"
AT = 1_767_323_045.0  # the same date in seconds since 1970


def response(body: bytes = b"<title>A</title><p>page", status: str = "200 OK", **headers: str) -> bytes:
    """Writes an HTTP response; underscores in names of headers stand for hyphens."""
    named = {"content_type": "text/html; charset=utf-8", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + body


def record(
    url: str = URL,
    block: bytes | None = None,
    kind: str = "response",
    date: str = DATE,
    version: str = "WARC/1.0",
    length: int | None = None,
    more: Mapping[str, str] | None = None,
    **headers: str,
) -> bytes:
    """Writes a record (ISO 28500, 4); `length`: what it says of its block; `more`: more headers."""
    octets = response() if block is None else block
    named = {
        "WARC_Type": kind,
        "WARC_Target_URI": url,
        "WARC_Date": date,
        "WARC_Record_ID": "<urn:uuid:12345678-1234-1234-1234-123456789012>",
        "Content_Type": "application/http;msgtype=response",
        "Content_Length": str(len(octets) if length is None else length),
        **headers,
        **(more or {}),
    }
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items() if value)
    return f"{version}\r\n{lines}\r\n".encode() + octets + b"\r\n\r\n"


def info(*more: str) -> bytes:
    """Writes the record with which most files begin; `more`: lines of it."""
    block = "".join(f"{line}\r\n" for line in ("software: none", *more)).encode()
    return record("", block, "warcinfo", Content_Type="application/warc-fields")


def pack(*records: bytes) -> bytes:
    """Packs each record into a member of its own (ISO 28500, annex D)."""
    return b"".join(gzip.compress(one) for one in records)


def pack_zstd(*records: bytes, dictionary: bytes = b"", packed: bool = False) -> bytes:
    """Packs each record into a frame (IIPC, warc-zstd 1.0), behind a dictionary, `packed` or not."""
    loaded = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    frames = b"".join(zstandard.ZstdCompressor(dict_data=loaded).compress(one) for one in records)
    if not dictionary:
        return frames
    content = zstandard.ZstdCompressor().compress(dictionary) if packed else dictionary
    return b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content + frames


def train(*records: bytes) -> bytes:
    """Makes a dictionary for records like these."""
    return zstandard.train_dictionary(4_000, [*records] * 9).as_bytes()


def chunked(*chunks: bytes) -> bytes:
    """Writes a body in chunks (RFC 9112, 7.1)."""
    return b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in (*chunks, b""))


def write(path: Path, *records: bytes) -> Path:
    """Writes a file of packed records."""
    path.write_bytes(pack(*records))
    return path


def read(path: Path) -> tuple[list[str], Counter[str]]:
    """Reads a file: of each capture the end of its URL, status, and length of the body or `damaged`."""
    counts, found = Counter[str](), []
    for opened in read_captures(path, counts):
        capture = opened.capture
        try:
            length = str(len(opened.read_body(LIMIT)))
        except OSError:
            length = "damaged"
        found.append(f"{capture.url.removeprefix(URL)} {capture.status} {length}")
    return found, counts
