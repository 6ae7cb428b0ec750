"""Restricts the data folder to its owner: nobody else may read pages and queries.

An operator who lets a group in sets the folder's setgid bit (`chmod g+s`); then the group may do as the
owner does, and others nothing.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OTHERS = 0o007
GROUP_AND_OTHERS = 0o077
OURS = (
    "crawl.db*",
    "journal.*",
    "*.lock",
    "*.tsv*",
    "past*",
    "*_queries.draft",
    "index",
    "index/**/*",
    "history.db*",
    "alerts.db*",
    "recrawl.db*",
    "admin.db*",
    "owners.db*",
    "complaints.db*",
    "viewers.db*",
    "requests",
    "requests/*",
    "restoring*",
    "restoring*/**/*",
)
"""What Lycosa writes into the folder; whatever else lies there is left as it is."""


def keep_private(data_dir: Path) -> bool:
    """Restricts files to the owner from now on, and those that are there already.

    Tells whether there was anything to take. A folder that is everybody's by intent (sticky, as /tmp) stays.
    """
    os.umask(GROUP_AND_OTHERS)
    try:
        found = data_dir.stat()
    except OSError:  # made later on, and private then
        return False
    if found.st_mode & stat.S_ISGID:
        os.umask(OTHERS)
        return _revoke(data_dir, OTHERS)
    return not found.st_mode & stat.S_ISVTX and _revoke(data_dir, GROUP_AND_OTHERS)


def _revoke(data_dir: Path, rights: int) -> bool:
    """Revokes these rights from the folder and what is ours in it; tells whether it had any."""
    if data_dir.stat().st_uid != os.geteuid() or not data_dir.stat().st_mode & rights:
        return False
    with suppress(OSError):  # a file system without rights
        for path in _list_ours(data_dir):
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & rights:
                path.chmod(stat.S_IMODE(mode) & ~rights)
        data_dir.chmod(stat.S_IMODE(data_dir.stat().st_mode) & ~rights)
    return not data_dir.stat().st_mode & rights


def _list_ours(data_dir: Path) -> Iterator[Path]:
    for pattern in OURS:
        yield from data_dir.glob(pattern)
