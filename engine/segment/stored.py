"""Encodes a document's stored fields: JSON for what is small, and bytes as they are."""

import json
import struct
from collections.abc import Mapping
from typing import Any

_LENGTH = struct.Struct("<I")


def pack_fields(fields: Mapping[str, Any]) -> bytes:
    """Packs strings, numbers, lists of them, and bytes, by name; None is left out."""
    raw = {name: value for name, value in fields.items() if isinstance(value, bytes)}
    plain = {name: value for name, value in fields.items() if value is not None and name not in raw}
    lengths = {name: len(value) for name, value in raw.items()}
    text = json.dumps([plain, lengths], ensure_ascii=False, separators=(",", ":"))
    head = text.encode(
        errors="surrogatepass"
    )  # halves of signs in a stranger's text; json.loads() takes them
    return b"".join([_LENGTH.pack(len(head)), head, *raw.values()])


def unpack_fields(record: bytes) -> dict[str, Any]:
    """Unpacks what pack_fields() packed; tuples come as lists."""
    (length,) = _LENGTH.unpack_from(record)
    at = _LENGTH.size + length
    fields: dict[str, Any]
    fields, lengths = json.loads(record[_LENGTH.size : at])
    for name, size in lengths.items():
        fields[name] = record[at : at + size]
        at += size
    return fields
