"""Makes the preferred URL represent each cluster of copies, once all links are known.

It is held where a crawl ends and the link graph has caught up, so that neither the order of answers nor a
kill decides: a mirror that was crawled first gives way as soon as more is known of the site that it copied.

Among the URLs of one owner his LINK counts first, then the pages that link to a URL, then how short it is.
Between owners nothing counts that one can say of oneself alone: first where the operator began, then by how
many other owners a page or its site's front page is linked to, then who was found weeks before the other,
and only then what the site's own sitemap lists. None of this changes by who stands, so it is settled.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import groupby

import sqlalchemy as sa

from engine import generations
from engine.database import connect_to_read, write_transaction
from engine.generations import Generation, IndexLocation
from engine.index.indexing.follow import Follower
from engine.linkgraph import Clusters, open_clusters
from engine.store import (
    Candidate,
    RunRow,
    find_contested,
    load_candidates,
    load_living_runs,
    load_seed_hosts,
    promote_copy,
)
from engine.url import host_of, registrable_domain

AT_ONCE = 100  # clusters to a transaction; others can write between them
AGE_SECONDS = 7 * 86_400.0  # found so much earlier says something; within one crawl it is chance
MAX_SITES = 4_096  # whose voters are remembered while the election lasts
LOOK_SECONDS = 0.25  # between looks whether the others have ended
BUSY_SECONDS = 10.0  # who is at work for longer does more than take over the hosts of those that have ended


def elect_at_end(
    follower: Follower,
    database: sa.Engine,
    location: IndexLocation,
    clock: Callable[[], float],
    sleep: Callable[[float], object],
) -> None:
    """Holds the election of a crawl's end, and indexes what it changed, whoever held it.

    Crawls on several machines end moments apart, and none elects before the last: each waits for those that
    have nothing left to do. `clock` gives seconds since 1970, `sleep` takes seconds.
    """
    _await_others(database, clock, sleep)
    _catch_up(follower)
    if generation := generations.current_generation(location):
        elect(database, generation, clock())
        _catch_up(follower)


def _await_others(database: sa.Engine, clock: Callable[[], float], sleep: Callable[[float], object]) -> None:
    """Waits while crawls are under way of which none has been at work for BUSY_SECONDS.

    One that has nothing left to do is at work again for a moment as it takes over the hosts of the first that
    ends.
    """
    since = clock()
    while living := _load_living(database, clock()):
        if all(run.idle for run in living):
            since = clock()
        elif clock() - since >= BUSY_SECONDS:
            return
        sleep(LOOK_SECONDS)


def _load_living(database: sa.Engine, now: float) -> list[RunRow]:
    with connect_to_read(database) as connection:
        return load_living_runs(connection, now)


def _catch_up(follower: Follower) -> None:
    if follower.count_waiting():
        follower.catch_up()


def elect(database: sa.Engine, generation: Generation, now: float) -> int:
    """Elects the preferred URL of each cluster to represent it; returns how many took over.

    None while a crawl is under way: its end brings the last word. `now` in seconds since 1970.
    """
    over, last = 0, ""
    with closing(open_clusters(generation.links)) as clusters:
        votes: _Votes | None = None
        while True:
            with write_transaction(database) as connection:
                if load_living_runs(connection, now):
                    return over
                if not (pages := find_contested(connection, last, AT_ONCE)):
                    return over
                votes = votes or _Votes(clusters, load_seed_hosts(connection))
                over += sum(_elect_one(connection, votes, page) for page in pages)
                last = pages[-1]


class _Votes:
    """What links say of candidates."""

    def __init__(self, clusters: Clusters, chosen: frozenset[int]) -> None:
        self._clusters = clusters
        self._chosen = chosen
        self._voters = lru_cache(MAX_SITES)(clusters.voters)

    def elect_first(self, standing: Sequence[Candidate]) -> Candidate:
        """Elects the one that is preferred to all others; links of the first, which stands now, do not count.

        Copies have no links that would: whoever stands would prefer the one that its page links to.
        """
        linking = self._clusters.count_linking_pages([one.url for one in standing], standing[0].url)
        owners = groupby(sorted(standing, key=_owner), _owner)
        best = [
            min(of_owner, key=lambda one: _rank_key(one, linking.get(one.url, 0))) for _, of_owner in owners
        ]
        if len(best) == 1:
            return best[0]
        rivals = frozenset(map(_owner, best))
        return min(best, key=lambda one: self._rank_between_owners(one, rivals))

    def _rank_between_owners(
        self, one: Candidate, rivals: frozenset[str]
    ) -> tuple[bool, int, float, bool, float, str]:
        """Returns the sort key of one owner's candidate; rivals have no vote."""
        front = f"{host_of(one.url)}/"
        others = (self._voters(one.url) | self._voters(front)) - rivals
        weeks = one.found_at // AGE_SECONDS
        return one.host_id not in self._chosen, -len(others), weeks, not one.listed, one.found_at, one.url


def _elect_one(connection: sa.Connection, votes: _Votes, page: str) -> bool:
    """Elects the URL that represents a page; returns whether that is another URL from now on."""
    standing = load_candidates(connection, page)
    if len(standing) < 2:
        return False
    first = votes.elect_first(standing)
    return first.url != page and promote_copy(connection, page, first.url)


def _owner(one: Candidate) -> str:
    return registrable_domain(one.url)


def _rank_key(one: Candidate, linking: int) -> tuple[bool, int, int, str]:
    return not one.named, -linking, len(one.url), one.url
