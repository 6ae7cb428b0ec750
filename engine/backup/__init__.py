"""Saves a data folder into one file while it is in use, restores it into an empty one, moves its database."""

from engine.backup.moving import move_database
from engine.backup.restoring import Restored, restore_backup
from engine.backup.saving import Saved, save_backup

__all__ = ["Restored", "Saved", "move_database", "restore_backup", "save_backup"]
