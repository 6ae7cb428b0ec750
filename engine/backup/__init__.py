"""Saves a data folder into one file while it is in use, and restores it into an empty one."""

from engine.backup.restoring import Restored, restore_backup
from engine.backup.saving import Saved, save_backup

__all__ = ["Restored", "Saved", "restore_backup", "save_backup"]
