"""The gates of a new generation: what it must hold and answer before it takes the place of the old one."""

from engine.gates.answers import read_answer_test
from engine.gates.gates import RebuildGates

__all__ = [
    "RebuildGates",
    "read_answer_test",
]
