"""Packs values into bytes: pages, texts and links in compressed columns."""

from engine.packing import packing, texts
from engine.packing.compressed import compress, decompress, dumps, loads
from engine.packing.packing import (
    PackedPage,
    pack,
    pack_page,
    pack_robots,
    unpack,
    unpack_links,
    unpack_rendered,
    unpack_robots,
    unpack_scanned,
    unpack_title,
)

__all__ = [
    "PackedPage",
    "compress",
    "decompress",
    "dumps",
    "loads",
    "pack",
    "pack_page",
    "pack_robots",
    "packing",
    "texts",
    "unpack",
    "unpack_links",
    "unpack_rendered",
    "unpack_robots",
    "unpack_scanned",
    "unpack_title",
]
