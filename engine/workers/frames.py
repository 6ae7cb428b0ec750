"""Frames requests to a reader process and its responses: JSON and bytes on a socket."""

import json
import struct
from dataclasses import asdict
from typing import Any

from engine.config import Duplicates, ScreeningConfig
from engine.errors import PageError
from engine.model import LETHAL, Flag, Reading, Secret
from engine.robots import Directives
from engine.url import Aliases, KnownHost

HEAD = struct.Struct(">II")  # length of the JSON, length of the bytes after it
TOO_MUCH = {"error": LETHAL}  # the answer of one that died of its page
BROKEN = {"error": "reading failed"}  # by a fault of ours


def encode_reading(result: Reading) -> bytes:
    """Encodes a reading, as a reader process sends it back."""
    fields = {
        "language": result.language,
        "media_type": result.media_type,
        "directives": asdict(result.directives),
        "fingerprint": result.fingerprint.hex(),
        "shape": result.shape.hex(),
        "near": result.near,
        "outlinks": result.outlinks,
        "canonical": result.canonical,
        "moved_to": result.moved_to,
        "revisit_seconds": result.revisit_seconds,
        "flag": result.flag,
        "cut": result.cut,
        "secrets": result.secrets,
        "pictures": result.pictures,
    }
    return encode_frame(fields, result.content)


def encode_settings(aliases: Aliases, unwanted: ScreeningConfig, duplicates: Duplicates) -> bytes:
    """Encodes the settings of a reader process: spelling of links, boilerplate phrases, duplicates.

    It gives no answer to this.
    """
    told = {"aliases": asdict(aliases), "unwanted": asdict(unwanted), "duplicates": asdict(duplicates)}
    return encode_frame(told, b"")


def decode_aliases(fields: dict[str, Any]) -> Aliases:
    """Decodes the aliases in a settings frame."""
    hosts = (KnownHost(**{name: _frozen(value) for name, value in host.items()}) for host in fields["hosts"])
    twins = ((host, twin) for host, twin in fields["twins"])
    return Aliases(tuple(hosts), tuple(fields["tracking"]), tuple(twins))


def decode_screening(fields: dict[str, Any]) -> ScreeningConfig:
    """Decodes the screening settings in a settings frame."""
    return ScreeningConfig(**{name: _frozen(value) for name, value in fields.items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def encode_frame(fields: dict[str, Any], blob: bytes) -> bytes:
    """Encodes JSON and bytes as one frame."""
    return encode_header(fields, blob) + blob


def encode_header(fields: dict[str, Any], blob: bytes) -> bytes:
    """Encodes a frame without its bytes, which are sent separately to avoid a copy of the page."""
    text = json.dumps(fields).encode()
    return HEAD.pack(len(text), len(blob)) + text


def decode_frame(received: bytearray) -> tuple[dict[str, Any], bytes] | None:
    """Decodes and removes the first complete frame of a buffer, None when there is none yet."""
    if len(received) < HEAD.size:
        return None
    text, blob = HEAD.unpack_from(received)
    middle, end = HEAD.size + text, HEAD.size + text + blob
    if len(received) < end:
        return None
    message = json.loads(received[HEAD.size : middle]), bytes(received[middle:end])
    del received[:end]
    return message


def decode_reading(fields: dict[str, Any], content: bytes) -> Reading:
    """Decodes a reading. Raises PageError where the reader did."""
    if "error" in fields:
        raise PageError(fields["error"])
    directives = Directives(**fields.pop("directives"))
    fingerprint, shape = (bytes.fromhex(fields.pop(name)) for name in ("fingerprint", "shape"))
    secrets, pictures = fields.pop("secrets"), fields.pop("pictures")
    flag = Flag(word) if (word := fields.pop("flag")) else None
    return Reading(
        **fields,
        directives=directives,
        fingerprint=fingerprint,
        shape=shape,
        content=content,
        flag=flag,
        secrets=tuple(Secret(*one) for one in secrets),
        pictures=tuple(map(int, pictures)),
    )
