"""Names sites as their pages call them, for people who know no host by its address."""

from collections.abc import Iterable, Mapping, Set

from engine.index.lexicon import Lexicon
from engine.text.analysis import strip_bidi_controls

SHORTEST, LONGEST = 3, 60  # characters of a name; what is longer is a sentence
_NO_NAMES = frozenset(("home", "homepage", "home page", "index", "index of", "welcome", "start", "untitled"))
_SIGNS = " |-–—:·•/«»()[]"  # before and behind the name of a site in a title


class SiteName(str):
    """The name of a site, '' where nobody knows one."""

    __slots__ = ()

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return len(self)


def find_site_names(lexicon: Lexicon, authorities: Iterable[str]) -> Mapping[str, str]:
    """Finds what the pages of hosts (name and port) call them: the ending that most of their titles share,
    or else the title of the front page; without those where neither is a name.
    """
    every = dict.fromkeys(authorities)
    cached = {one: lexicon.cache.peek((lexicon.contents, "site", one)) for one in every}
    found = {one: name for one, name in cached.items() if isinstance(name, SiteName)}
    for one, name in _learn_names(lexicon, every.keys() - found.keys()).items():
        lexicon.cache.put((lexicon.contents, "site", one), name)
        found[one] = name
    return {one: str(found[one]) for one in every if found[one]}


def _learn_names(lexicon: Lexicon, authorities: Set[str]) -> Mapping[str, SiteName]:
    """Learns what sites are called, '' where nobody says it."""
    hosts = {one: [f"{scheme}://{one}" for scheme in ("https", "http")] for one in authorities}
    suffixes = lexicon.find_suffixes([host for some in hosts.values() for host in some])
    names = {one: _choose_name([suffixes[host].text for host in some]) for one, some in hosts.items()}
    fronts = {one: [f"{host}/" for host in some] for one, some in hosts.items() if not names[one]}
    pages = lexicon.find_pages([url for urls in fronts.values() for url in urls])
    for one, urls in fronts.items():
        names[one] = _choose_name([pages[url].title for url in urls if url in pages])
    return names


def _choose_name(titles: Iterable[str]) -> SiteName:
    """Chooses the first that is a name."""
    return next(filter(None, map(_check_name, titles)), SiteName())


def _check_name(title: str) -> SiteName:
    name = " ".join(strip_bidi_controls(title).split()).strip(_SIGNS)
    has_letter = any(map(str.isalpha, name))
    if name.casefold() in _NO_NAMES:
        return SiteName()
    return SiteName(name if has_letter and SHORTEST <= len(name) <= LONGEST else "")
