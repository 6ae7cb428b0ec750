"""Writes WARC records (ISO 28500, version 1.1): responses as they were received, each packed by itself."""

import base64
import gzip
import hashlib
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http.client import responses

# What nobody else may read, and what is not so any more: the client has joined the chunks.
_LEFT_OUT = frozenset({"set-cookie", "set-cookie2", "authorization", "cookie", "transfer-encoding"})
_HEADERS = "latin-1"


def write_response(
    url: str, at: float, status: int, headers: Sequence[tuple[str, str]], body: bytes, address: str = ""
) -> bytes:
    """Writes the record of a response, without its cookies; `at` in seconds since 1970."""
    lines = (f"{name}: {value}\r\n" for name, value in headers if name.lower() not in _LEFT_OUT)
    head = f"HTTP/1.1 {status} {responses.get(status, '')}\r\n{''.join(lines)}\r\n"
    block = head.encode(_HEADERS, "replace") + body
    fields = {
        "WARC-Target-URI": url,
        **({"WARC-IP-Address": address} if address else {}),
        "WARC-Payload-Digest": _digest(body),
        "WARC-Block-Digest": _digest(block),
    }
    return _write("response", at, fields, "application/http;msgtype=response", block)


def write_info(at: float, software: str, *more: str) -> bytes:
    """Writes the record with which a file begins; `more`: further lines of it."""
    lines = (f"software: {software}", "format: WARC File Format 1.1", *more)
    block = "".join(f"{line}\r\n" for line in lines).encode()
    return _write("warcinfo", at, {}, "application/warc-fields", block)


def _write(kind: str, at: float, fields: Mapping[str, str], content_type: str, block: bytes) -> bytes:
    date = datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    named = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
        "WARC-Date": date,
        **fields,
        "Content-Type": content_type,
        "Content-Length": len(block),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return gzip.compress(f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n", compresslevel=6, mtime=0)


def _digest(octets: bytes) -> str:
    """Computes a digest as all who write WARC files do: SHA-1, in base 32 (RFC 4648)."""
    return f"sha1:{base64.b32encode(hashlib.sha1(octets, usedforsecurity=False).digest()).decode()}"
