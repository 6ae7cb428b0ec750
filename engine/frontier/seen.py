"""URLs that the database certainly knows: saves asking it for the links that stand on every page."""

HALF = 500_000  # URLs; the whole takes about 100 MB at most


class Seen:
    """A bounded set of URLs by 64-bit hash; forgets the older half when it is full.

    Forgetting costs a look into the database, nothing else. With a million
    URLs two of them share a hash with a chance of 3 in 10**8.
    """

    def __init__(self) -> None:
        self._young: set[int] = set()
        self._old: set[int] = set()

    def __contains__(self, url: str) -> bool:
        key = hash(url)
        return key in self._young or key in self._old

    def add(self, url: str) -> None:
        """Remember a URL."""
        if len(self._young) >= HALF:
            self._old, self._young = self._young, set()
        self._young.add(hash(url))
