"""Keeps generations in folders of their own below a data folder."""

from engine.generations.folder.contents import (
    MAGIC,
    NAME,
    TAG,
    TAIL,
    commit_of_file,
    file_name,
    read_table,
)
from engine.generations.folder.generation import FolderGeneration
from engine.generations.folder.storage import FolderStorage
from engine.generations.folder.tag import read_number, read_tag, sync_folder, write_atomically, write_tag

__all__ = [
    "MAGIC",
    "NAME",
    "TAG",
    "TAIL",
    "FolderGeneration",
    "FolderStorage",
    "commit_of_file",
    "file_name",
    "read_number",
    "read_table",
    "read_tag",
    "sync_folder",
    "write_atomically",
    "write_tag",
]
