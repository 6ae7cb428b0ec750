"""Caches known URLs, so that links on every page need no database query."""

from array import array

SLOTS = 2**21  # a power of two
SEEN_BYTES = 9 * SLOTS  # 19 MB with the counts, however many URLs are known
MAX_INLINKS = 255  # a count stops here: it has one byte
_SLOT = SLOTS - 1  # the low bits of a hash
_HASH = 2**64 - 1


class SeenUrls:
    """A table of URLs by 64-bit hash, each in the one slot that the low bits of its hash name.

    A URL that comes into a slot drives the other out: that one is forgotten, which costs a look into the
    database and nothing else. A slot keeps the whole hash, so a new URL is taken for a known one only
    where 43 more bits agree: with a chance of 1.1 in 10**13 at each look, or one link lost in 10 million
    known URLs with a chance of about one in a million (requirement 23). The hash has a secret of this
    process, so nobody can write links that collide.

    `exact`: nothing is held, the database is asked about every link, and no chance is taken.
    """

    def __init__(self, *, exact: bool = False) -> None:
        slots = 0 if exact else SLOTS
        self._hashes = array("Q", [0]) * slots
        self._counts = array("B", [0]) * slots
        self._exact = exact
        if not exact:
            self._hashes[0] = 1  # an empty slot holds 0, which would be a URL's hash here and only here

    def add_link(self, url: str) -> bool:
        """Counts a link and remembers its URL; tells whether that was certainly known before."""
        if self._exact:
            return False
        key = hash(url) & _HASH
        slot = key & _SLOT
        if self._hashes[slot] != key:
            self._hashes[slot] = key
            self._counts[slot] = 1
            return False
        if (count := self._counts[slot]) < MAX_INLINKS:
            self._counts[slot] = count + 1
        return True

    def count_inlinks(self, url: str) -> int:
        """Counts the pages with a link to this URL, as far as is remembered; MAX_INLINKS at most."""
        if self._exact:
            return 0
        key = hash(url) & _HASH
        slot = key & _SLOT
        return self._counts[slot] if self._hashes[slot] == key else 0
