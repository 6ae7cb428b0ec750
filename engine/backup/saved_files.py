"""Says which files of a data folder a backup has."""

import re
from fnmatch import fnmatchcase

DATABASE = "crawl.db"
INDEX = "index"
LINKS = "links.db"
DATABASES = "*.db"  # in the data folder itself: copied as SQLite sees them, without the logs beside them
# What processes keep there while they run, and what they have not finished; logs are no state.
PASSING = ("crawl.db", "*.db-*", "journal.*", "*.lock", "*.draft", "*.part", "*.log", "*.log.*")
MAX_NAME = 90  # bytes of UTF-8: a header of an archive has room for 100
_CURRENT = "current"
_GENERATION = re.compile(r"g\d{6,}")
_INDEX_FILE = re.compile(r"\w[\w.-]*", re.ASCII)


def is_operators_file(name: str) -> bool:
    """Tells whether a file of this name in the data folder is the operator's, such as synonyms.tsv."""
    legible = name.isprintable() and not {"/", "\\"}.intersection(name)
    whole = legible and name not in ("", ".", "..", INDEX) and len(name.encode()) <= MAX_NAME
    return whole and not any(fnmatchcase(name, pattern) for pattern in PASSING)


def is_index_file(name: str) -> bool:
    """Tells whether a file of this name in a generation's folder is a part of the index."""
    return bool(_INDEX_FILE.fullmatch(name)) and not name.endswith((".draft", "-wal", "-shm", "-journal"))


def is_saved(name: str) -> bool:
    """Tells whether a backup has a file at this place in the data folder."""
    match name.split("/"):
        case [one]:
            return one == DATABASE or is_operators_file(one)
        case [folder, current]:
            return folder == INDEX and current == _CURRENT
        case [folder, generation, file]:
            return folder == INDEX and bool(_GENERATION.fullmatch(generation)) and is_index_file(file)
        case _:
            return False
