"""Sections whose id is the name of what they are about, as manuals of programs have it.

What stands below asyncio.Queue as "get()" has the id asyncio.Queue.get, and often says the name nowhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

MAX_PARTS = 8  # of a name; what comes before the last of them is one part

_PARTING = re.compile(
    r"[\W_]+"
)  # what is no letter and no figure, as between the parts of a word that was typed


def named(fragments: Sequence[str], said: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """The sections with these ids that end with a name of two parts or more, and the number of what was said.

    `said` is as in engine.index.sought.
    """
    endings = tuple(said)
    for section, fragment in enumerate(fragments):
        if "." in fragment and _bare(fragment).endswith(endings):
            parts = fragment.rsplit(".", MAX_PARTS - 1)
            whole = (_bare("".join(parts[first:])) for first in range(len(parts) - 1))
            if found := [said[name] for name in whole if name in said]:
                yield section, found[0]


def full_name(heading: str, fragment: str) -> str:
    """What a section is about: its id, where that is the full name of what its heading calls by its last.

    An id with a word and a hyphen before the name, as Sphinx gives modules, is nothing to show.
    """
    parents, _, last = fragment.rpartition(".")
    is_called_so = (
        parents and "-" not in parents and last and re.search(rf"(?<!\w){re.escape(last)}(?!\w)", heading)
    )
    return fragment if is_called_so else heading


def _bare(name: str) -> str:
    return _PARTING.sub("", name.casefold())
