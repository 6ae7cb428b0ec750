"""Reads and writes what an index of a cluster says of itself, in the `_meta` of its mapping."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.generations.generation import FORM

_KEY = "lycosa"  # others may keep notes there, too
_NO_LENGTHS: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class IndexNotes:
    """Which Lycosa made an index, of which crawl database; how long its texts are (engine.index.scoring), as
    all its weights have it; why its gates refused it.
    """

    form: int = FORM
    source: str = ""
    averages: Mapping[str, float] = field(default_factory=lambda: _NO_LENGTHS)
    reasons: Sequence[str] = ()


def write_notes(notes: IndexNotes) -> dict[str, Any]:
    """Writes them as `_meta`."""
    return {_KEY: asdict(notes)}


def read_notes(meta: Any) -> IndexNotes:
    """Reads them from `_meta`; what is not as it was written is of another Lycosa: form 0."""
    told = meta.get(_KEY) if isinstance(meta, dict) else None
    if not isinstance(told, dict):
        return IndexNotes(form=0)
    try:
        return IndexNotes(
            int(told["form"]),
            str(told["source"]),
            {str(name): float(length) for name, length in told["averages"].items()},
            tuple(map(str, told["reasons"])),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return IndexNotes(form=0)
