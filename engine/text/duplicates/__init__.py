"""Detects duplicates: fingerprints of equal texts, sketches of nearly equal ones."""

from engine.text.duplicates.fingerprint import PageDigests, compute_digests
from engine.text.duplicates.near_duplicates import are_near_duplicates

__all__ = [
    "PageDigests",
    "are_near_duplicates",
    "compute_digests",
]
