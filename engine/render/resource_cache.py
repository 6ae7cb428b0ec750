"""Keeps what pages of a site have in common, as its scripts: asked for once, not for each page (RFC 9111)."""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MAX_BYTES = 64_000_000  # of all bodies; the scripts of a site have one to five million
USUAL_SECONDS = 3_600.0  # for which an answer is good that says nothing of it (RFC 9111, 4.2.2)
_MAX_AGE = re.compile(r'\bmax-age\s*=\s*"?([0-9]{1,9})')
_STORED = (200, 203, 301, 404, 410)  # may be kept without being asked to (RFC 9110, 15.1)


@dataclass(frozen=True, slots=True)
class Resource:
    """What a URL answered, unpacked."""

    status: int
    headers: Sequence[tuple[str, str]]  # names in lower case
    body: bytes

    def header(self, name: str) -> str:
        """Returns all values of a header, '' without one."""
        return ", ".join(value for key, value in self.headers if key == name)


def freshness_seconds(resource: Resource) -> float:
    """Computes for how long an answer may be given again, 0 for not at all (RFC 9111, 3 and 4.2)."""
    control = resource.header("cache-control").lower()
    if resource.status not in _STORED or "no-store" in control or "no-cache" in control:
        return 0.0
    if "*" in resource.header("vary"):
        return 0.0
    if age := _MAX_AGE.search(control):
        return float(age[1])
    return USUAL_SECONDS


class ResourceCache:
    """Answers by URL and Accept; the longest unused go first. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], tuple[float, Resource]] = OrderedDict()
        self._bytes = 0

    def get(self, url: str, accept: str) -> Resource | None:
        """Returns an answer that is fresh, None without one."""
        found = self._kept.get((url, accept))
        if found is None or found[0] <= self._clock():
            return None
        self._kept.move_to_end((url, accept))
        return found[1]

    def put(self, url: str, accept: str, resource: Resource) -> None:
        """Keeps an answer for as long as it allows."""
        self._drop((url, accept))
        seconds = freshness_seconds(resource)
        if not seconds:
            return
        self._kept[url, accept] = (self._clock() + seconds, resource)
        self._bytes += len(resource.body)
        while self._bytes > MAX_BYTES:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[str, str]) -> None:
        if found := self._kept.pop(key, None):
            self._bytes -= len(found[1].body)
