"""Keeps part of the disk free: a full disk would stop other programs."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.config import FREE_BYTES, MEGABYTE
from engine.errors import EngineError

FREE_SHARE = 0.05  # of a disk; the usual FREE_BYTES are more on a small one, which is there to be used
INDEX_PART = 0.5  # of what a crawl leaves free; the index has to follow what was stored


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """A data folder's disk, of which so many bytes stay free; if the usual number, at most FREE_SHARE."""

    data_dir: Path
    free: int = FREE_BYTES

    def shortage(self, extra: int = 0, part: float = 1.0) -> EngineError | None:
        """Explains where so many bytes more would leave less than this part of it, else None."""
        there = self.data_dir
        while not there.exists() and there != there.parent:
            there = there.parent
        try:
            disk = shutil.disk_usage(there)
        except OSError as error:
            return EngineError(f"cannot look at the disk of {self.data_dir}: {error.strerror}")
        least = min(FREE_BYTES, disk.total * FREE_SHARE) if self.free == FREE_BYTES else self.free
        if disk.free - extra >= least * part:
            return None
        more = f" after the {extra / MEGABYTE:,.0f} MB that this may take" if extra else ""
        return EngineError(
            f"{disk.free / MEGABYTE:,.0f} MB are free on the disk of {self.data_dir}, and "
            f"{least * part / MEGABYTE:,.0f} MB must stay free{more}: free some space, or set free_megabytes "
            "in [limits] of crawl.toml, and run the same command again"
        )

    def require(self, extra: int = 0, part: float = 1.0) -> None:
        """Raises EngineError for what shortage() says."""
        if lack := self.shortage(extra, part):
            raise lack
