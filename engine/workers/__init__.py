"""The read station: bodies go to processes of its own, what is to be kept of them comes back."""

from engine.workers.coding import measure, unpack
from engine.workers.readers import Readers, check_memory
from engine.workers.sandbox import said, tried

__all__ = [
    "Readers",
    "check_memory",
    "measure",
    "said",
    "tried",
    "unpack",
]
