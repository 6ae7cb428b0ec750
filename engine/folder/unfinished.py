"""Marks a data folder into which a backup is being restored: nobody takes half of it for the whole."""

from pathlib import Path

from engine.errors import EngineError

RESTORING = "restoring"  # a folder in the data folder; it goes when all is in its place


def require_whole(data_dir: Path) -> None:
    """Raises EngineError where a restore has not come to its end."""
    if (data_dir / RESTORING).exists():
        raise EngineError(
            f"{data_dir} holds a part of a backup alone: 'scrapy restore' is at work, or was stopped; "
            "wait for it, or run it again"
        )
