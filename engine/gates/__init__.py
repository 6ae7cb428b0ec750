"""Checks a rebuilt index before it replaces the old one: no lost documents, no worse answers."""

from engine.gates.answers import read_answer_test
from engine.gates.gates import RebuildGates

__all__ = [
    "RebuildGates",
    "read_answer_test",
]
