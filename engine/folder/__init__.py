"""Guards the data folder: locks, permissions, free space, restores, and vacuuming."""

from engine.folder.database_errors import OF_DATABASE, explain_failure
from engine.folder.free_space import INDEX_PART, FreeSpace, RoomWatch
from engine.folder.lock import RunLocks, lock_folder, wait_for_folder
from engine.folder.permissions import keep_private
from engine.folder.unfinished import RESTORING, require_whole
from engine.folder.vacuum import VACUUM_HOLDER, VacuumedDatabase, vacuum_folder

__all__ = [
    "INDEX_PART",
    "OF_DATABASE",
    "RESTORING",
    "VACUUM_HOLDER",
    "FreeSpace",
    "RoomWatch",
    "RunLocks",
    "VacuumedDatabase",
    "explain_failure",
    "keep_private",
    "lock_folder",
    "require_whole",
    "vacuum_folder",
    "wait_for_folder",
]
