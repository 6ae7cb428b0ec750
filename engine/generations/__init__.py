"""Manages generations: which index of a data folder is current, how another takes its place.

Imports no compiled loops: a crawl and most commands only want to know how far the index is.
"""

from engine.generations.contents import (
    MAGIC,
    NAME,
    TAG,
    TAIL,
    commit_of_file,
    count_documents,
    file_name,
    read_table,
)
from engine.generations.generation import (
    FORM,
    UNREADABLE,
    Generation,
    count_behind,
    current_generation,
    current_size,
    refused_generation,
    undamaged_generation,
)
from engine.generations.publishing import (
    create_draft,
    forget_refused,
    go_back,
    lock,
    publish,
    refuse,
    temporary_draft,
)
from engine.generations.tag import read_number, read_tag, sync_folder, write_atomically, write_tag

__all__ = [
    "FORM",
    "MAGIC",
    "NAME",
    "TAG",
    "TAIL",
    "UNREADABLE",
    "Generation",
    "commit_of_file",
    "count_behind",
    "count_documents",
    "create_draft",
    "current_generation",
    "current_size",
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
    "sync_folder",
    "temporary_draft",
    "undamaged_generation",
    "write_atomically",
    "write_tag",
]
