"""Counts seed hosts that never answered: with half of them silent, the run has failed."""

from collections.abc import Iterable

from engine.crawl.response_policy import PAGE_ERRORS
from engine.model import Fetch
from engine.url import host_of


class SilentHosts:
    """Counts by every exchange; a host whose turn had not come is not silent."""

    def __init__(self, seeds: Iterable[str]) -> None:
        self._silent: dict[str, str] = {}  # host -> why, as it was heard last
        self._unheard = set(map(host_of, seeds))  # of whom nothing was heard so far
        self._hosts = len(self._unheard)

    def record(self, fetch: Fetch) -> None:
        """Records one exchange; part of an answer counts as one."""
        host = fetch.claim.host
        if host not in self._unheard:
            return
        if fetch.status or fetch.received or fetch.error in PAGE_ERRORS:
            self._unheard.discard(host)
            self._silent.pop(host, None)
        else:
            self._silent[host] = fetch.error

    @property
    def reasons(self) -> dict[str, str]:
        """The hosts that were asked and never answered, with the reason."""
        return self._silent

    @property
    def too_many(self) -> bool:
        """Tells whether these are at least half of the seeds' hosts."""
        return bool(self._silent) and 2 * len(self._silent) >= self._hosts
