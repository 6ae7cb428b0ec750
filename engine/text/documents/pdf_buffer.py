"""Reads what PDFium writes into buffers: it tells the size first."""

import ctypes
from collections.abc import Callable


def read_buffer(write: Callable[..., int], most: int) -> bytes:
    """Reads what PDFium writes when it is told where and how much room there is; b'' for more than `most`."""
    size = write(None, 0)
    if not 0 < size <= most:
        return b""
    room = (ctypes.c_ushort * ((size + 1) // 2))()
    write(room, size)
    return bytes(room)[:size]


def read_utf16(write: Callable[..., int], most: int) -> str:
    """Reads a text that PDFium writes in UTF-16LE, `most` octets of it; '' for a longer one."""
    return read_buffer(write, most).decode("utf-16-le", errors="ignore").rstrip("\0")
