"""Detects duplicates: fingerprints of equal texts, sketches of nearly equal ones."""

from engine.text.duplicates.fingerprint import Digests, compute_digests
from engine.text.duplicates.near_duplicates import are_near_duplicates

__all__ = [
    "Digests",
    "are_near_duplicates",
    "compute_digests",
]
