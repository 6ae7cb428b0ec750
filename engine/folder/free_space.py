"""Keeps part of the disk free: a full disk would stop other programs.

A crawl and its follower wait below that, and go on when there is room again; what cannot wait ends, or does
not begin, with one line.
"""

import logging
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.config import FREE_BYTES, MEGABYTE
from engine.errors import EngineError

FREE_SHARE = 0.05  # of a disk; the usual FREE_BYTES are more on a small one, which is there to be used
LOOK_SECONDS = 5.0  # between two looks of a crawl, which stores 100 MB in that time at most
INDEX_PART = 0.5  # of what a crawl leaves free; the index has to follow what was stored

logger = logging.getLogger("lycosa")


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """A data folder's disk, of which so many bytes stay free; if the usual number, at most FREE_SHARE."""

    data_dir: Path
    free: int = FREE_BYTES

    def shortage(self, extra: int = 0, part: float = 1.0) -> str:
        """Describes a disk where so many bytes more would leave less than this part; '' where it has room."""
        there = self.data_dir
        while not there.exists() and there != there.parent:
            there = there.parent
        try:
            disk = shutil.disk_usage(there)
        except OSError as error:
            return f"cannot look at the disk of {self.data_dir}: {error.strerror}"
        least = min(FREE_BYTES, disk.total * FREE_SHARE) if self.free == FREE_BYTES else self.free
        if disk.free - extra >= least * part:
            return ""
        more = f" after the {extra / MEGABYTE:,.0f} MB that this may take" if extra else ""
        return (
            f"{disk.free / MEGABYTE:,.0f} MB are free on the disk of {self.data_dir}, and "
            f"{least * part / MEGABYTE:,.0f} MB must stay free{more}"
        )

    def require(self, extra: int = 0, part: float = 1.0) -> None:
        """Raises EngineError for what shortage() says."""
        if lack := self.shortage(extra, part):
            raise EngineError(
                f"{lack}: free some space, or set free_megabytes in [limits] of crawl.toml, and run the same "
                "command again"
            )


class RoomWatch:
    """Tells those that wait for room whether there is some; the log hears of it when that changes."""

    def __init__(self, space: FreeSpace, who: str, part: float = 1.0) -> None:
        self._space, self._who, self._part = space, who, part
        self._looked = -LOOK_SECONDS
        self._lacks = False

    def seconds_to_wait(self, now: float) -> float:
        """Returns the seconds until the next look where there was no room, 0.0 where there was."""
        if not 0 <= now - self._looked < LOOK_SECONDS:
            self._looked = now
            self.look()
        return LOOK_SECONDS - (now - self._looked) if self._lacks else 0.0

    def look(self) -> bool:
        """Looks now; tells whether there is a lack of room."""
        lack = self._space.shortage(part=self._part)
        if lack and not self._lacks:
            logger.warning("%s: %s waits until there is room, and goes on then by itself", lack, self._who)
        elif self._lacks and not lack:
            logger.warning("there is room on the disk of %s: %s goes on", self._space.data_dir, self._who)
        self._lacks = bool(lack)
        return self._lacks
