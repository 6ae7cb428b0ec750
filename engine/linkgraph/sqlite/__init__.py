"""Keeps link graphs in files of SQLite."""

from engine.linkgraph.sqlite.storage import FileStorage

__all__ = ["FileStorage"]
