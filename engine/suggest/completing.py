"""Completes a query by names of pages of which a word begins with it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Documents, Leaf, Member, Reader
from engine.index.schema import (
    ANCHOR,
    BEHIND,
    DEFINITION,
    HEADING,
    MAX_FOLDED,
    NAMES,
    TITLE,
    fold_name,
    fold_prefix,
)
from engine.suggest.places import NOWHERE, CompletionTarget, find_target, fold_words
from engine.suggest.tails import TitleSuffix, find_title_suffix
from engine.text.analysis import simplify_letters
from engine.url import host_of

MAX_COMPLETIONS = 8
# Names of a segment for one beginning, 5 ms; of more, as after one letter, some here and there.
MAX_READ = 32_768
AT_ONCE = 2_048  # of these read at each of the places
MAX_KEPT = 64  # names of a segment, the best: several may be one, in other words or of other pages

_WEIGHTS = np.zeros(256, np.float32)  # by where a name stands
_WEIGHTS[[ord(kind) for kind in (TITLE, HEADING, ANCHOR, DEFINITION)]] = (8, 2, 3, 1)
_WEIGHTS[[ord(kind.upper()) for kind in (TITLE, HEADING, ANCHOR, DEFINITION)]] = (4, 1, 1.5, 0.5)
_OFTEN = np.float32(0.1)  # for twice as many pages


class NameCandidate(NamedTuple):
    """What a page is called, how good a completion that makes, and of which host the page is, if of any.

    `page` is the one document that is called so, None where there are several.
    """

    weight: float
    name: str
    host: str = ""
    page: int | None = None


class Completion(NamedTuple):
    """What may be meant; the address of the one page, or place on it, that has this name, '' for none; and of
    a place the title of its page.
    """

    text: str
    address: str = ""
    page_title: str = ""


def complete_query(reader: Reader, typed: str, others: Sequence[NameCandidate] = ()) -> list[Completion]:
    """Completes what was typed by at most MAX_COMPLETIONS names, the best first: by where they stand, whether
    they begin so or have it inside, and how much is linked to their pages. `others` that begin so come where
    they belong.

    A new page's name is there as soon as the page can be found, a removed one's goes with it. The name of the
    site behind it is left out, and offers nothing where it alone begins so. Where one page alone has a name,
    that leads to it.
    """
    beginning = fold_prefix(typed)
    if not beginning:
        return []
    found = [*others, *(name for member in reader.members for name in _find_names(reader, member, beginning))]
    suffix_of = cache(partial(find_title_suffix, reader))  # one for all names of a host
    called: dict[str, list[NameCandidate]] = {}
    for number, one in enumerate(sorted(found, key=lambda one: (-one.weight, len(one.name), one.name))):
        if number >= MAX_KEPT and len(called) >= MAX_COMPLETIONS:
            break
        short = suffix_of(one.host).remove_from(one.name) if one.host else one.name
        if name := _choose_name(one.name, short, beginning):
            called.setdefault(simplify_letters(name), []).append(one._replace(name=name))
    found_names = _complete_names(reader, called.values(), suffix_of)
    return list(islice(found_names, MAX_COMPLETIONS))


def _complete_names(
    reader: Reader, called: Iterable[Sequence[NameCandidate]], suffix_of: Callable[[str], TitleSuffix]
) -> Iterator[Completion]:
    """Yields names with their addresses, but for other names of a place that was named before, and for the
    same words that lead elsewhere on the same page.
    """
    there: set[str | tuple[str, str]] = set()
    for names in called:
        name, (address, title) = names[0].name, _find_target(reader, names)
        same = address.partition("#")[0], fold_words(name)
        if not address or there.isdisjoint((address, same)):
            there.update((address, same))
            yield Completion(name, address, suffix_of(host_of(address)).remove_from(title) if title else "")


def _find_target(reader: Reader, names: Sequence[NameCandidate]) -> CompletionTarget:
    """Finds the one page that has these names, which are one; nowhere where several have, and for a mere
    query.
    """
    of_pages = [one for one in names if one.host]
    pages = {one.page for one in of_pages}
    if len(pages) != 1 or (page := pages.pop()) is None:
        return NOWHERE
    return find_target(reader, page, of_pages[0].name)


def _choose_name(name: str, short: str, beginning: str) -> str:
    """Chooses the name as it is offered, without that of its site; '' where but that begins as was typed."""
    if short == name or beginning.rstrip() in fold_name(short):
        return short
    return name if fold_name(name).startswith(beginning) else ""


def _find_names(reader: Reader, member: Member, beginning: str) -> list[NameCandidate]:
    """Finds the best names of a segment."""
    leaf, votes = member.leaf, reader.votes_in(member)
    terms = leaf.numbers_with_prefix(NAMES, beginning[:MAX_FOLDED])
    if member.alive is not None:
        votes = np.where(member.alive, votes, np.float32(-1))
    found: list[NameCandidate] = []
    for some in _sample_terms(terms):
        octets, ends = leaf.dictionary.between(some.start, some.stop)
        postings, counts = leaf.postings_of_terms(some)
        weights = _weigh_names(octets[ends - 2], votes[postings.documents], counts)
        ends_of = np.cumsum(counts)
        best = np.argsort(-weights, kind="stable")[:MAX_KEPT]
        for at in best[weights[best] > 0].tolist():
            term = octets[ends[at - 1] if at else 0 : ends[at] - 2].tobytes().decode("utf-8", "replace")
            name = term.partition(BEHIND)[2]
            if len(beginning) <= MAX_FOLDED or beginning in fold_name(name):
                of_name = postings.documents[ends_of[at] - counts[at] : ends_of[at]]
                found.append(
                    NameCandidate(
                        float(weights[at]), name, _read_host(leaf, of_name), _only_document(member, of_name)
                    )
                )
    return found


def _read_host(leaf: Leaf, documents: Documents) -> str:
    """Reads the host of the last of a term's documents."""
    of_host = leaf.column("host")
    return of_host.names[int(of_host.numbers[documents[-1]])]


def _only_document(member: Member, documents: Documents) -> int | None:
    """Returns the one of the documents that is left, as the snapshot numbers it."""
    left = member.to_snapshot(documents)
    return int(left[0]) if len(left) == 1 else None


def _sample_terms(terms: range) -> list[range]:
    """Samples terms: all, or AT_ONCE at places that are evenly far from each other."""
    step = AT_ONCE * max(1, -(-len(terms) // MAX_READ))
    return [terms[start : start + AT_ONCE] for start in range(0, len(terms), step)]


def _weigh_names(
    kinds: NDArray[np.uint8], votes: NDArray[np.float32], counts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Weighs each term by where it stands, the most linked of its pages, and how many have it.

    `votes` are those of its postings, -1 of pages that were removed; where no page is left: 0.
    """
    most: NDArray[np.float32] = np.maximum.reduceat(votes, np.cumsum(counts) - counts)
    often = np.log2(counts).astype(np.float32)
    return _WEIGHTS[kinds] * (1 + most) + np.where(most < 0, np.float32(0), _OFTEN * often)
