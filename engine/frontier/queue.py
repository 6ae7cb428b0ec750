"""The frontier over the crawl database: breadth first, fair between hosts, polite to each.

In the database stands every URL; in memory only one line a host, with the next few URLs of it. So the cost
of a claim does not grow with the crawl, and who is killed has lost nothing: what was claimed is still queued.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from engine.frontier import leases
from engine.frontier.addresses import Addresses, LookUp
from engine.frontier.caps import Caps
from engine.frontier.domains import domain_of
from engine.frontier.host_queue import HostLine, line_length
from engine.frontier.host_queues import HostLines
from engine.frontier.host_share import HostShare
from engine.frontier.new_url import NewUrl
from engine.frontier.order import next_in_line
from engine.frontier.politeness import Caution, Floors, Pace
from engine.frontier.quota import Quota
from engine.frontier.robots_cache import Rulebook
from engine.frontier.turns import AddressTurns
from engine.model import Claim, Purpose, State
from engine.store import hosts, urls
from engine.url import host_of


class Frontier:
    """Add URLs, claim those that may be asked now, say when one is done. Times are seconds since 1970."""

    def __init__(
        self,
        engine: sa.Engine,
        pace_of: Callable[[str], Pace],
        draw: Callable[[], float],
        caps: Caps,
        inlinks: Callable[[str], int],
        per_day: int | None = None,
    ) -> None:
        self._engine = engine
        self._inlinks = inlinks
        self._caps = caps
        self._quota = Quota(engine, per_day)
        self._draw = draw
        self.lines = HostLines(pace_of, Rulebook(engine))
        self._floors = Floors()
        self.caution = Caution()
        self._turns = AddressTurns()
        self._share = HostShare()
        self.handing_over = False  # hosts that are others' now have something under way
        self.waiting = 0  # URLs that are queued, those under way included
        self.round = 0  # to which URLs belong that nobody has queued by hand
        self.probes: dict[str, Claim] = {}  # to be asked before a host's next page

    def share_out(
        self, connection: sa.Connection, share: HostShare, admits: Callable[[str], bool], now: float
    ) -> None:
        """Take the hosts of a share, and list those that have queued URLs and that the crawl admits."""
        self._share = share
        self._quota.forget()
        self._caps.domains.forget()
        self.waiting = 0
        self.probes.clear()  # who asks the host from now on will ask
        for line in self.lines.values():
            line.leased, line.waiting = False, 0
            line.forget()
        leases.take_share(connection, share)
        for known in leases.leased(connection, share):
            if admits(known.host):
                line = self.lines.hold(known)
                self.count(known.host, known.queued)
                self._wake(line)
        self.hand_over(connection, now)

    def hand_over(self, connection: sa.Connection, now: float) -> None:
        """Give up the hosts that are others' now, as soon as nothing of them is under way."""
        busy = self.lines.busy()
        self.handing_over = bool(busy)
        leases.keep_rests(connection, self._share, self.lines.resting(now))
        leases.give_back(connection, self._share, busy)

    def leave(self, connection: sa.Connection, now: float) -> None:
        """Give up all hosts; who asks them next keeps to their rests."""
        leases.keep_rests(connection, self._share, self.lines.resting(now))
        leases.give_back_all(connection, self._share)

    def keep_rests(self, connection: sa.Connection) -> None:
        """Write down which hosts asked for a rest, or need one, since the last time."""
        self.lines.keep_rests(connection, self._share)

    def calls(self, connection: sa.Connection) -> Sequence[str]:
        """Hosts of ours where somebody else has queued URLs."""
        return leases.called(connection, self._share)

    def answer(self, connection: sa.Connection, calls: Sequence[str], admits: Callable[[str], bool]) -> None:
        """Take up what others have queued of our hosts."""
        leases.answered(connection, calls)
        for host in filter(admits, calls):
            line = self._line(connection, host)
            if line.leased or self._lease(connection, line):
                self.count(host, leases.queued(connection, line.id) - line.waiting)
                self._wake(line)

    def add(self, connection: sa.Connection, found: Sequence[NewUrl], now: float) -> int:
        """Queue URLs that are not known yet, and give their hosts a turn; how many were new."""
        by_host: dict[str, list[NewUrl]] = {}
        for one in found:
            by_host.setdefault(host_of(one.url), []).append(one)
        admits = self._caps.domains.admits
        some = (one for one in by_host.items() if one[0] in self.lines or admits(connection, *one))
        return sum(self._add(connection, self._line(connection, host), of, now) for host, of in some)

    def _add(self, connection: sa.Connection, line: HostLine, found: Sequence[NewUrl], now: float) -> int:
        if line.known is None:
            of_host = sa.select(sa.func.count()).where(urls.c.host_id == line.id)
            line.known = connection.execute(of_host).scalar_one()
        rows = [
            {**one.of_round(self.round)._asdict(), "host_id": line.id, "state": State.QUEUED, "found_at": now}
            for one in self._caps.within(connection, line.host, line.known, found)
        ]
        new = connection.execute(insert(urls).on_conflict_do_nothing(), rows).rowcount if rows else 0
        line.known += new
        self._caps.domains.grew(line.host, new)
        if line.leased or self._lease(connection, line):
            self.count(line.host, new)
            self._wake(line)
        elif new:
            leases.call(connection, line.id)
        return new

    def requeued(self, connection: sa.Connection, host: str, more: int) -> None:
        """So many more known URLs of a host are queued, or fewer: whoever has its lease hears of it."""
        line = self._line(connection, host)
        if line.leased or self._lease(connection, line):
            self.count(host, more)
            self._wake(line)
        elif more:
            leases.call(connection, line.id)

    def _wake(self, line: HostLine) -> None:
        if not line.listed and line.has_room:
            self._turns.put(line, line.ready_at)

    def claim(self, now: float) -> Claim | None:
        """The next URL that may be asked now: a host's robots.txt first, then its pages."""
        while line := self._turns.take(now):
            if not (line.has_room and line.leased and line.in_flight < self.caution.at_once(now)):
                continue  # `done` lists it again
            if line.ready_at > now or line.rests(now):  # another answer asked for it meanwhile
                self._turns.put(line, line.ready_at)
            elif not line.robots_due(now) and (closed := line.closed_for(now)):
                self._turns.put(line, now + closed)
            elif (floor := self._floors.until(line.address)) > now:
                self._turns.put(line, floor)
            elif rest := self._quota.rest(line, now):
                line.park("it was asked for all pages of the day (host_pages_per_day)", now + rest)
                self._turns.put(line, line.ready_at)
            elif claim := self._take(line, now):
                self._start(line, claim, now)
                return claim
        return None

    def wait(self, now: float) -> float | None:
        """Seconds until a host may be asked; None when no URL waits for its host's turn."""
        return self._turns.wait(now)

    def only_parked(self) -> bool:
        """True when the hosts that still wait are all down or without a readable robots.txt."""
        return not self.lines.unfinished() and all(self.lines[host].left_alone for host in self.probes)

    def look_up(self, by: LookUp) -> None:
        """Look the address of each host up before it is asked anything."""
        self._turns.addresses = Addresses(by)

    def done(
        self, claim: Claim, now: float, *, down: bool = False, rest: float = 0.0, address: str = ""
    ) -> None:
        """A claim's exchange is over: the host may be asked again after its pause.

        `down`: no answer, or one that sends us away; `rest`: seconds it asked for; `address`: who answered.
        """
        line = self.lines[claim.host]
        line.address = address or line.address
        self._floors.seen(line.address, line.pace, now)
        self.lines.answered(line, now, down=down, rest=rest, draw=self._draw())
        self._wake(line)

    def ask(self, probe: Claim) -> None:
        """Ask this of a host before its next page."""
        self.probes[probe.host] = probe
        self._wake(self.lines[probe.host])

    def deferred(self, claim: Claim) -> None:
        """A host's robots.txt cannot be had: its URLs wait until it is time to ask again."""
        line = self.lines[claim.host]
        line.in_flight -= 1
        if not line.listed:
            self._turns.put(line, line.ready_at)

    def skip(self, claim: Claim) -> None:
        """A claim that needs no request after all: the host's turn is not used up."""
        self.lines[claim.host].ready_at = 0.0
        self.deferred(claim)

    def committed(self, claims: Iterable[Claim], again: Collection[int]) -> None:
        """The database knows what became of these URLs; `again`: the ids of those that are queued still."""
        for claim in claims:
            line = self.lines[claim.host]
            self.count(claim.host, (claim.url_id in again) - 1)
            line.taken.discard(claim.url_id)
            self._wake(line)  # for a URL that is to be tried again

    def count(self, host: str, more: int) -> None:
        """So many more URLs of a host are queued, or fewer; what others ask for does not count here."""
        line = self.lines[host]
        if line.leased:
            line.waiting += more
            self.waiting += more
            self._caps.domains.wait(host, more)

    def reorder(self, host: str) -> tuple[int, set[int]]:
        """What waits of a host is read anew from the database; its id, and the ids of URLs under way."""
        line = self.lines[host]
        line.forget()
        return line.id, line.taken

    def _take(self, line: HostLine, now: float) -> Claim | None:
        if not line.urls and line.host not in self.probes and not self._refill(line):
            return None
        if line.robots_due(now):
            return None if line.in_flight else line.robots_claim()
        return self.probes.pop(line.host, None) or line.urls.popleft()

    def _start(self, line: HostLine, claim: Claim, now: float) -> None:
        line.in_flight += 1
        line.asked_at = now
        if claim.kind is Purpose.PAGE:
            self._quota.ask(line)
        self._floors.seen(line.address, line.pace, now)
        if claim.kind is not Purpose.ROBOTS and line.has_room:
            self._turns.put(line, now + line.pace.pause)

    def _refill(self, line: HostLine) -> bool:
        with self._engine.connect() as connection:
            room = line_length(len(self.lines))
            line.urls.extend(next_in_line(connection, line, self._inlinks, room))
        line.taken.update(claim.url_id for claim in line.urls)
        return bool(line.urls)

    def _line(self, connection: sa.Connection, name: str) -> HostLine:
        if name not in self.lines:
            row = {"host": name, "domain": domain_of(name)}
            if connection.execute(insert(hosts).on_conflict_do_nothing(), row).rowcount:
                self._caps.domains.joined(name)
            number = connection.execute(sa.select(hosts.c.id).where(hosts.c.host == name)).scalar_one()
            self._lease(connection, self.lines.made(number, name))
        return self.lines[name]

    def _lease(self, connection: sa.Connection, line: HostLine) -> bool:
        if known := leases.take(connection, self._share, line.id):
            self.lines.hold(known)
        return line.leased
