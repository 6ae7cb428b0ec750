"""Defines how a host's template is learned: the blocks of text that its pages repeat, from a sample of them.

Templates are kept beside the link graph, whose names of pages they use, and mark pages as stale there.
The sample are the pages whose URLs have the least digests: as good as drawn by lot, and always the
same ones of the same pages, whatever order they came in. So the template follows from the pages
alone, once all are learned from; a rebuild ends with the same one.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SAMPLE = 200  # pages of a host that are learned from; a share of 0.1 is then known to within 0.02
FEWEST = 8  # pages that a block of a template stands on; hosts with fewer pages have no template
SHARE = 0.1  # of the sample: least part that a block of a template stands on; one of ten languages has that
MAX_HOSTS = 1_024  # whose digests are remembered: hosts come in turns
GROWTH = 2  # times the pages of the last time: then a host is learned again while more come

_LARGEST, _NONE = 2**63 - 1, -(2**63) - 1  # of places; before the first


GroupOf = Callable[[str], str]
"""Says whose template a page's is, by its URL: its host's, where nothing of it is hidden."""


class Templates(Protocol):
    """The blocks of the pages in the store, and the templates that follow from them.

    Takes up to 4 kB of disk a page.
    """

    def close(self) -> None:
        """Closes it."""

    def replace(self, pages: Iterable[tuple[str, Collection[int] | None]]) -> None:
        """Replaces the blocks of these pages, which the link graph has; None: the page has left.

        A host that has grown by much is learned at once, any other when learn() is called.
        """

    def sample_filter(self) -> Callable[[str], bool]:
        """Returns a test whether a URL is in the sample of its host, of all pages of the link graph.

        So that a template can be learned before other pages are read. Takes 16 bytes a page meanwhile.
        """

    def learn(self) -> None:
        """Learns every host whose pages changed since it was learned."""

    def template_blocks(self, host: str) -> frozenset[int]:
        """Loads the numbers of the blocks of a host's template, as it was learned last."""


def select_template_blocks(sampled: Sequence[Iterable[int]]) -> set[int]:
    """Selects the blocks that many pages of a sample have."""
    counts: Counter[int] = Counter()
    for numbers in sampled:
        counts.update(numbers)
    least = max(FEWEST, ceil(SHARE * len(sampled)))
    return {number for number, count in counts.items() if count >= least}


def make_sample_filter(urls: Iterable[str], group_of: GroupOf) -> Callable[[str], bool]:
    """Makes a test whether a URL is in the sample of its host, of all these."""
    hosts, places = array("q"), array("q")
    for url in urls:
        hosts.append(digest_of_host(group_of(url)))
        places.append(digest_of(url))
    bounds = _sample_bounds(np.array(hosts), np.array(places))
    return lambda url: digest_of(url) <= bounds.get(digest_of_host(group_of(url)), _LARGEST)


def _sample_bounds(hosts: NDArray[np.int64], places: NDArray[np.int64]) -> dict[int, int]:
    """Computes the largest digest in the sample of each large host; of hosts with too few pages none."""
    order = np.lexsort((places, hosts))
    hosts, places = hosts[order], places[order]
    found, starts, sizes = np.unique(hosts, return_index=True, return_counts=True)
    large, small = sizes > SAMPLE, sizes < FEWEST
    last = places[starts[large] + SAMPLE - 1]
    bounds = dict(zip(found[large].tolist(), last.tolist(), strict=True))
    return bounds | dict.fromkeys(found[small].tolist(), _NONE)


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Packs the numbers of blocks into 8 bytes each."""
    return array("q", numbers).tobytes()


def digest_of(text: str) -> int:
    """Hashes a URL or host to 64 bits, the same for ever."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


digest_of_host = lru_cache(MAX_HOSTS)(digest_of)
