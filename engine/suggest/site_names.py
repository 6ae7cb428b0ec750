"""Names sites as their pages call them, for people who know no host by its address."""

from collections.abc import Iterable, Mapping
from functools import partial

from engine.index.reader import Reader
from engine.suggest.tails import find_title_suffix
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


def find_site_names(reader: Reader, authorities: Iterable[str]) -> Mapping[str, str]:
    """Finds what the pages of hosts (name and port) call them: the ending that most of their titles share,
    or else the title of the front page; without those where neither is a name.
    """
    segments = tuple([member.name for member in reader.members])
    found = {}
    for one in dict.fromkeys(authorities):
        if name := reader.cache.get((segments, "site", one), partial(_learn_name, reader, one)):
            found[one] = str(name)
    return found


def _learn_name(reader: Reader, authority: str) -> SiteName:
    hosts = [f"{scheme}://{authority}" for scheme in ("https", "http")]
    for host in hosts:
        if name := _check_name(find_title_suffix(reader, host).text):
            return name
    fronts = (reader.documents_with_term("url", f"{host}/").tolist() for host in hosts)
    titles = (reader.page(documents[0]).title for documents in fronts if documents)
    return next(filter(None, map(_check_name, titles)), SiteName())


def _check_name(title: str) -> SiteName:
    name = " ".join(strip_bidi_controls(title).split()).strip(_SIGNS)
    has_letter = any(map(str.isalpha, name))
    if name.casefold() in _NO_NAMES:
        return SiteName()
    return SiteName(name if has_letter and SHORTEST <= len(name) <= LONGEST else "")
