"""Reads the dictionary with which WARC files packed by Zstandard may begin (IIPC, warc-zstd 1.0)."""

import struct
from pathlib import Path

import zstandard

from engine.errors import EngineError

FRAME = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
MAX_DICTIONARY = 16_000_000  # bytes, unpacked; those of Archive Team have one million
MAX_WINDOW = 1 << 27  # bytes, as fastwarc has it by libzstd: what a frame may look back for
_DICTIONARY = b"\x5d\x2a\x4d\x18"  # the magic of a skippable frame for it
_HEAD = struct.Struct("<4sI")  # magic, length (RFC 8878, 3.1.2)


def is_zstd(beginning: bytes) -> bool:
    """Tells by its first bytes whether a file is packed by Zstandard."""
    return beginning[:4] in (FRAME, _DICTIONARY)


def read_dictionary(path: Path) -> bytes:
    """Reads the dictionary of a file, b'' without one. Raises EngineError for one damaged or too large."""
    with path.open("rb") as file:
        beginning = file.read(_HEAD.size)
        if len(beginning) < _HEAD.size or beginning[:4] != _DICTIONARY:
            return b""
        dictionary = file.read(min(_HEAD.unpack(beginning)[1], MAX_DICTIONARY + 1))
    if dictionary.startswith(FRAME):
        try:
            dictionary = unpack_beginning(dictionary, MAX_DICTIONARY + 1)
        except zstandard.ZstdError as error:
            raise EngineError(f"{path} has a damaged dictionary: it cannot be unpacked") from error
    if len(dictionary) > MAX_DICTIONARY:
        raise EngineError(f"{path} has a dictionary of more than {MAX_DICTIONARY:,} bytes: it is not read")
    return dictionary


def unpack_beginning(packed: bytes, size: int, dictionary: bytes = b"") -> bytes:
    """Unpacks the first `size` bytes of a frame, as many as there are. Raises zstandard.ZstdError."""
    loaded = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    unpacker = zstandard.ZstdDecompressor(dict_data=loaded, max_window_size=MAX_WINDOW)
    with unpacker.stream_reader(packed) as reader:
        return reader.read(size)
