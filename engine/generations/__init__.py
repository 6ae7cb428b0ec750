"""Manages generations: which index of a data folder or a cluster is current, how another takes its place.

Imports no compiled loops: a crawl and most commands only want to know how far the index is.
"""

from engine.generations.cluster import ClusterGeneration, IndexNotes, write_notes
from engine.generations.folder import (
    MAGIC,
    NAME,
    TAG,
    TAIL,
    FolderGeneration,
    commit_of_file,
    file_name,
    read_number,
    read_table,
    read_tag,
    sync_folder,
    write_atomically,
    write_tag,
)
from engine.generations.follower_process import start_follower
from engine.generations.generation import FORM, UNREADABLE, Generation
from engine.generations.location import IndexLocation
from engine.generations.opening import (
    count_behind,
    create_draft,
    current_generation,
    current_size,
    drop,
    forget_refused,
    go_back,
    lock,
    publish,
    refuse,
    refused_generation,
    temporary_draft,
    undamaged_generation,
)

__all__ = [
    "FORM",
    "MAGIC",
    "NAME",
    "TAG",
    "TAIL",
    "UNREADABLE",
    "ClusterGeneration",
    "FolderGeneration",
    "Generation",
    "IndexLocation",
    "IndexNotes",
    "commit_of_file",
    "count_behind",
    "create_draft",
    "current_generation",
    "current_size",
    "drop",
    "file_name",
    "forget_refused",
    "go_back",
    "lock",
    "publish",
    "read_number",
    "read_table",
    "read_tag",
    "refuse",
    "refused_generation",
    "start_follower",
    "sync_folder",
    "temporary_draft",
    "undamaged_generation",
    "write_atomically",
    "write_notes",
    "write_tag",
]
