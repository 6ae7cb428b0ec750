"""Detects duplicates: fingerprints of equal texts, sketches of nearly equal ones."""

from engine.text.duplicates.fingerprint import Digests, digests
from engine.text.duplicates.near_duplicates import alike

__all__ = [
    "Digests",
    "alike",
    "digests",
]
