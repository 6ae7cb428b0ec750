"""Learns the endings that most titles of a host share, such as the name of the site."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

SAMPLE = 16  # titles of a host that are looked at, spread over its pages
FEWEST = 8  # titles that a tail is learned from, as pages are of a template

_SURE = 6  # characters of a tail, a dash and spaces among them, by which it is known
_PARTED = re.compile(r"\s+(?:[|\-–—:·•/«»]+\s+|(?=[(\[]))")  # before what may be a tail


class TitleSuffix(NamedTuple):
    """The common ending of a host's titles, '' without one."""

    text: str

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return len(self.text)

    def remove_from(self, title: str) -> str:
        """Removes it from a title, or as much of it as a long title has left.

        Its words are parted by single spaces.
        """
        at = title.rfind(self.text[:_SURE]) if self.text else -1
        return title[:at] if at > 0 and self.text.startswith(title[at:]) else title


NO_SUFFIX = TitleSuffix("")


def learn_suffix(sample: Sequence[str]) -> TitleSuffix:
    """Learns the ending of a host's titles from some of them."""
    titles = [" ".join(title.split()) for title in sample]
    if len(titles) < FEWEST:
        return NO_SUFFIX
    ends = Counter(title[parted.start() :] for title in titles for parted in _PARTED.finditer(title))
    return TitleSuffix(
        max((end for end, count in ends.items() if 2 * count > len(titles)), key=len, default="")
    )
