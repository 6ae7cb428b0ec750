"""Learns the endings that most titles of a host share, such as the name of the site."""

import re
from collections import Counter
from functools import partial
from typing import NamedTuple

from engine.index.reader import Member, Reader
from engine.index.stored_pages import unpack_page

SAMPLE = 16  # titles of a host that are looked at, spread over its pages: 2 ms, once for a segment
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


def find_title_suffix(reader: Reader, host: str) -> TitleSuffix:
    """Finds the common ending of a host's titles, as the segment with most of its pages has it."""
    member = max(reader.members, key=lambda one: _count_pages(one, host))
    return reader.cache.get((member.name, "tail", host), partial(_learn_tail, member, host))


def _count_pages(member: Member, host: str) -> int:
    number = member.leaf.number("host", host)
    return int(member.leaf.dictionary.counts(number, number + 1)[0]) if number >= 0 else 0


def _learn_tail(member: Member, host: str) -> TitleSuffix:
    """Learns the tail from the titles of a segment, deleted ones included: it holds for as long as the
    segment is there.
    """
    leaf = member.leaf
    number = leaf.number("host", host)
    pages = leaf.postings_of_terms(range(number, number + (number >= 0)))[0].documents
    some = pages[:: max(len(pages) // SAMPLE, 1)][:SAMPLE].tolist()
    titles = [" ".join(unpack_page(leaf.stored(page)).title.split()) for page in some]
    if len(titles) < FEWEST:
        return TitleSuffix("")
    ends = Counter(title[parted.start() :] for title in titles for parted in _PARTED.finditer(title))
    return TitleSuffix(
        max((end for end, count in ends.items() if 2 * count > len(titles)), key=len, default="")
    )
