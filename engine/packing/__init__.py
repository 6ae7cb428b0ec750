"""Packs values into bytes: pages, texts and links in compressed columns."""

from engine.packing import packing, texts
from engine.packing.compressed import compress, decompress, dumps, loads
from engine.packing.front import Front, Span, unpack_front
from engine.packing.packing import PackedPage, links_of, pack, pack_robots, packed, unpack, unpack_robots

__all__ = [
    "Front",
    "PackedPage",
    "Span",
    "compress",
    "decompress",
    "dumps",
    "links_of",
    "loads",
    "pack",
    "pack_robots",
    "packed",
    "packing",
    "texts",
    "unpack",
    "unpack_front",
    "unpack_robots",
]
