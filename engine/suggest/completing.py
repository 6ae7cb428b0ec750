"""Completes a query by names of pages of which a word begins with it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from engine.index.lexicon import MAX_KEPT, Lexicon, NameCandidate
from engine.index.schema import fold_name, fold_prefix
from engine.suggest.places import NOWHERE, CompletionTarget, PageName, find_targets, fold_words
from engine.text.analysis import simplify_letters
from engine.url import host_of

MAX_COMPLETIONS = 8

Called = Sequence[NameCandidate]
"""Candidates that are one name, but for letters that look alike."""


class Completion(NamedTuple):
    """What may be meant; the address of the one page, or place on it, that has this name, '' for none; and of
    a place the title of its page.
    """

    text: str
    address: str = ""
    page_title: str = ""


def complete_query(lexicon: Lexicon, typed: str, others: Sequence[NameCandidate] = ()) -> list[Completion]:
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
    found = [*others, *lexicon.find_names(beginning)]
    found.sort(key=lambda one: (-one.weight, len(one.name), one.name))
    called: dict[str, list[NameCandidate]] = {}
    for start in range(0, len(found), MAX_KEPT):
        if len(called) >= MAX_COMPLETIONS:
            break
        for one in _shorten_names(lexicon, found[start : start + MAX_KEPT], beginning):
            called.setdefault(simplify_letters(one.name), []).append(one)
    return list(islice(_complete_names(lexicon, [*called.values()]), MAX_COMPLETIONS))


def _shorten_names(lexicon: Lexicon, some: Called, beginning: str) -> Iterator[NameCandidate]:
    """Yields the candidates by the names that are offered; without those that offer nothing."""
    suffixes = lexicon.find_suffixes({one.host for one in some if one.host})
    for one in some:
        short = suffixes[one.host].remove_from(one.name) if one.host else one.name
        if name := _choose_name(one.name, short, beginning):
            yield one._replace(name=name)


def _choose_name(name: str, short: str, beginning: str) -> str:
    """Chooses the name as it is offered, without that of its site; '' where but that begins as was typed."""
    if short == name or beginning.rstrip() in fold_name(short):
        return short
    return name if fold_name(name).startswith(beginning) else ""


def _complete_names(lexicon: Lexicon, called: Sequence[Called]) -> Iterator[Completion]:
    """Yields names with their addresses, but for other names of a place that was named before, and for the
    same words that lead elsewhere on the same page.
    """
    there: set[str | tuple[str, str]] = set()
    for start in range(0, len(called), MAX_COMPLETIONS):
        some = called[start : start + MAX_COMPLETIONS]
        for names, (address, title) in zip(some, _find_targets(lexicon, some), strict=True):
            name = names[0].name
            same = address.partition("#")[0], fold_words(name)
            if not address or there.isdisjoint((address, same)):
                there.update((address, same))
                yield Completion(name, address, _shorten_title(lexicon, address, title))


def _find_targets(lexicon: Lexicon, called: Sequence[Called]) -> list[CompletionTarget]:
    """Finds the one page that has each of the names; nowhere where several have, and for a mere query."""
    only = [_only_page(names) for names in called]
    targets = find_targets(lexicon, {one for one in only if one})
    return [targets[one] if one else NOWHERE for one in only]


def _only_page(names: Called) -> PageName | None:
    """Returns the one page that these candidates are names of, and its name; None where there are several."""
    of_pages = [one for one in names if one.host]
    pages = {one.page for one in of_pages}
    page = pages.pop() if len(pages) == 1 else None
    return (page, of_pages[0].name) if page else None


def _shorten_title(lexicon: Lexicon, address: str, title: str) -> str:
    """Shortens the title of the page at an address by the name of its site."""
    host = host_of(address) if title else ""
    return lexicon.find_suffixes([host])[host].remove_from(title) if title else ""
