"""Counts the links of many pages in arrays, as changes of the link graph's counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model import Links

MAX_OUTLINKS = 5_000  # of one page; a real page has some 70, so the rest is a trap or a farm
MAX_ANCHOR = 200  # characters; anchor text longer than this is a paragraph
WORD = 63  # bits that a row of numbers is sorted as, when they are not more

Numbers = NDArray[np.int64]


class Edges(NamedTuple):
    """Different links, each as the place of its page in a batch, its target and its anchor text."""

    page: Numbers
    target: Numbers
    anchor: Numbers


class CountChanges(NamedTuple):
    """How many pages more (or fewer) link with the same numbers; sorted, and none that stays as it was."""

    keys: tuple[Numbers, ...]
    pages: Numbers

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Yields the keys and, at last, the pages."""
        return zip(*(column.tolist() for column in (*self.keys, self.pages)), strict=True)

    def losses(self) -> Iterator[tuple[int, ...]]:
        """Yields the keys of which there are fewer."""
        return zip(*(column[self.pages < 0].tolist() for column in self.keys), strict=True)


def build_edges(
    targets: Sequence[Sequence[str]], ids: Mapping[str, int], words: Iterable[str], anchors: Mapping[str, int]
) -> Edges:
    """Builds the links of pages: the targets of each page and the words of all of them, in one order.

    `ids` has the numbers of targets, `anchors` those of words.
    """
    pages = np.repeat(np.arange(len(targets)), [len(of_page) for of_page in targets])
    heads = np.fromiter(map(ids.__getitem__, chain.from_iterable(targets)), np.int64, len(pages))
    tails = np.fromiter(map(anchors.__getitem__, words), np.int64, len(pages))
    return Edges(*_sum_by_key((pages, heads, tails), np.ones(len(pages), np.int64)).keys)


def unpack_edges(packed: Sequence[bytes]) -> Edges:
    """Unpacks the links of pages, from the bytes of each."""
    pages = np.repeat(np.arange(len(packed)), [len(one) // 16 for one in packed])
    both = np.frombuffer(b"".join(packed), np.int64).reshape(-1, 2)
    return Edges(pages, both[:, 0], both[:, 1])


def unpack_targets(packed: Iterable[bytes]) -> frozenset[int]:
    """Unpacks the numbers of what some pages link to, from the bytes of each."""
    return frozenset(unpack_edges([*packed]).target.tolist())


def pack_edges(edges: Edges, pages: int) -> list[bytes]:
    """Packs the links of so many pages, each as pairs of 64-bit numbers: target and anchor text."""
    both = np.stack((edges.target, edges.anchor), axis=1)
    ends = np.searchsorted(edges.page, np.arange(pages + 1)).tolist()
    return [both[start:end].tobytes() for start, end in pairwise(ends)]


def diff_votes(before: Edges, now: Edges, voters: Numbers) -> CountChanges:
    """Counts changes by target and voter: a page votes once for a target. `voters`: those of the pages."""
    once = [_sum_by_key((edges.page, edges.target), np.ones_like(edges.page)).keys for edges in (before, now)]
    return _diff_keys([(target, voters[page]) for page, target in once])


def diff_anchors(before: Edges, now: Edges, voters: Numbers) -> CountChanges:
    """Counts changes by target, anchor text and voter."""
    return _diff_keys([(edges.target, edges.anchor, voters[edges.page]) for edges in (before, now)])


def _diff_keys(keys: Sequence[tuple[Numbers, ...]]) -> CountChanges:
    """Counts what there is more of in the second than in the first."""
    before, now = (len(columns[0]) for columns in keys)
    together = tuple(np.concatenate(columns) for columns in zip(*keys, strict=True))
    return _sum_by_key(together, np.repeat(np.array([-1, 1]), [before, now]))


def _sum_by_key(keys: tuple[Numbers, ...], amounts: Numbers) -> CountChanges:
    """Sums the amounts of equal keys."""
    rows = _join_columns(keys)
    order = np.argsort(rows[0]) if len(rows) == 1 else np.lexsort(rows[::-1])
    differs = np.ones(len(order), bool)
    differs[1:] = np.any([np.diff(column[order]) for column in rows], axis=0)
    first = np.flatnonzero(differs)
    sums = np.add.reduceat(amounts[order], first) if len(first) else amounts
    kept = order[first][sums != 0]
    return CountChanges(tuple(column[kept] for column in keys), sums[sums != 0])


def _join_columns(keys: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """Joins the columns into one, where there is room: ordered alike, in a tenth of the time."""
    widths = [int(column.max(initial=0)).bit_length() for column in keys]
    if sum(widths) > WORD:
        return keys
    rows = keys[0]
    for column, width in zip(keys[1:], widths[1:], strict=True):
        rows = rows << width | column
    return (rows,)


class CountedLinks(NamedTuple):
    """The links of a page that count."""

    targets: Sequence[str]
    anchors: Sequence[str]


def select_counted(url: str, links: Links) -> CountedLinks:
    """Selects the links that are followed, and go to another page."""
    targets, anchors = links.urls, links.anchors
    if url in targets or True in links.nofollow:
        counts = [
            target != url and not nofollow for target, nofollow in zip(targets, links.nofollow, strict=True)
        ]
        targets, anchors = list(compress(targets, counts)), list(compress(anchors, counts))
    return CountedLinks(targets[:MAX_OUTLINKS], anchors[:MAX_OUTLINKS])


def normalize_anchor(anchor: str) -> str:
    """Normalizes anchor text: one line, of bounded length, as SQLite can keep it (no half surrogates)."""
    text = " ".join(anchor[: 2 * MAX_ANCHOR].split())[:MAX_ANCHOR]
    return text if text.isascii() else text.encode(errors="ignore").decode()
