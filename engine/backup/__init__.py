"""Saves a data folder into one file while it is in use, restores it, moves it to servers."""

from engine.backup.moving import move_database, move_index
from engine.backup.restoring import Restored, restore_backup
from engine.backup.saving import Saved, save_backup

__all__ = ["Restored", "Saved", "move_database", "move_index", "restore_backup", "save_backup"]
