"""Lets owners of crawled hosts show that a host is theirs, and see and change what is known of it."""

from engine.ownership.access import CheckedOften, NotProved, OwnerAccess
from engine.ownership.check import MarkLook, MarkState
from engine.ownership.database import OWNERS
from engine.ownership.known_hosts import UnknownHost
from engine.ownership.mark import file_path, file_text, make_key, make_value, meta_element

__all__ = [
    "OWNERS",
    "CheckedOften",
    "MarkLook",
    "MarkState",
    "NotProved",
    "OwnerAccess",
    "UnknownHost",
    "file_path",
    "file_text",
    "make_key",
    "make_value",
    "meta_element",
]
