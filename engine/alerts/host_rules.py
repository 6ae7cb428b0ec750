"""Finds what is wrong with the hosts of the seeds, from the queues of a crawl that runs.

Of other hosts there may be thousands that are down: they are in the log and in `scrapy status --hosts`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.alerts.alert import AlertKind, Finding
from engine.config import Login
from engine.frontier import SUSPEND_AFTER, Frontier, HostQueue
from engine.monitor import count, span
from engine.robots import AGENT, RobotsState, Verdict
from engine.url import host_of

MAX_HOSTS = 1_000  # of seeds that are looked at; a look takes some 20 microseconds each
MAX_NAMED = 5  # hosts in one message
MAX_ERRORS = 0.3  # of the last answers; requirements 62, 86
LEAST_SILENT = 3  # failures of a host that answered nothing in a whole crawl: a page is tried as often
LEAST_ANSWERS = 10  # before a share says anything, while the crawl runs

_DOWN_ADVICE = (
    "Check whether it is up and may be reached from here; 'scrapy trace HOST' prints the last requests. Its "
    "pages stay in the index, and the next crawl tries again."
)
_ROBOTS_ADVICE = (
    "Nothing is asked of a host whose robots.txt cannot be read: have it answer with 200 or 404. 'scrapy "
    "robots --refresh HOST' asks again at once."
)
_FORBIDDEN_ADVICE = (
    "If the owner means it, take the site out of crawl.toml: its pages have left the index. If not, have the "
    "line changed, then 'scrapy robots --refresh HOST' and 'scrapy crawl web' bring them back; 'scrapy "
    "robots URL' names the line."
)
_ERRORS_ADVICE = (
    "'scrapy failed' lists the pages with their reasons, 'scrapy trace HOST' the requests. The host is "
    "asked more slowly until it recovers."
)


class HostState(NamedTuple):
    """What a crawl knows of one host of the seeds."""

    host: str
    down: str = ""  # why it counts as down
    down_since: float = 0.0
    is_up: bool = False  # it has answered in this run


def watch_seeds(seeds: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Groups seeds by their hosts; MAX_HOSTS at most."""
    grouped: dict[str, tuple[str, ...]] = {}
    for seed in seeds:
        host = host_of(seed)
        if host in grouped or len(grouped) < MAX_HOSTS:
            grouped[host] = (*grouped.get(host, ()), seed)
    return grouped


def judge_hosts(
    frontier: Frontier, seeds: Mapping[str, tuple[str, ...]], now: float, *, is_last: bool = False
) -> list[Finding]:
    """Judges the hosts of the seeds; `is_last`: the crawl has come to its end."""
    states, findings = [], list[Finding]()
    for host, urls in seeds.items():
        queue = frontier.host_queues.get(host)
        # Of a host that another process asks, that one knows more; at the end no host is leased any more.
        if queue is None or not queue.asked_at or not (queue.leased or is_last):
            states.append(HostState(host))
            continue
        robots = queue.robots
        states.append(_describe(queue, robots, is_last=is_last))
        findings += _judge_robots(host, robots, urls, now)
        findings += _judge_errors(queue, now, is_last=is_last)
    return [*_judge_down(states, now), *findings]


def judge_logins(logins: Iterable[Login], outcomes: Mapping[str, str], now: float) -> Iterator[Finding]:
    """Judges the logins that this crawl has tried; `outcomes` by host: why it failed, '' where it works."""
    for login in logins:
        if (why := outcomes.get(login.host)) is None:
            continue
        message = f"{login.host} is not crawled, as the login to it failed: {why}" if why else ""
        advice = (
            f"Mend the [[login]] ({login.where}) or its secret; 'scrapy check' reads them, a browser shows "
            "whether they still hold. Nothing was lost: the pages stay, and the next crawl goes on."
        )
        yield Finding(AlertKind.LOGIN_FAILED, login.host, bool(why), now, message, advice)


def _describe(queue: HostQueue, robots: RobotsState | None, *, is_last: bool) -> HostState:
    if robots and robots.verdict is Verdict.DEFER and robots.status is None:
        return HostState(
            queue.host, f"its robots.txt {robots.outcome}", robots.down_since or robots.fetched_at
        )
    if queue.fails >= SUSPEND_AFTER:
        return HostState(queue.host, f"{queue.fails} requests in a row had no answer", queue.failed_at)
    # Few pages, asked several at a time, are over before that: what fails together counts once.
    if is_last and queue.fails >= LEAST_SILENT and not queue.answered_at:
        return HostState(queue.host, "no request of this crawl had an answer", queue.failed_at)
    return HostState(queue.host, is_up=queue.answered_at > max(queue.failed_at, 0.0))


def _judge_down(states: list[HostState], now: float) -> Iterator[Finding]:
    """Judges each host; where half of several are down, all of these together."""
    down = [state for state in states if state.down]
    is_half = len(states) > 1 and 2 * len(down) >= len(states)
    if is_half:
        named = ", ".join(state.host for state in down[:MAX_NAMED])
        more = f" and {len(down) - MAX_NAMED:,} more" if len(down) > MAX_NAMED else ""
        message = f"{len(down):,} of {count(len(states), 'host')} are down: {named}{more} ({down[0].down})"
        advice = f"With so many it may be the network of this machine. {_DOWN_ADVICE}"
        since = min(state.down_since for state in down)
        yield Finding(AlertKind.HOSTS_DOWN, "", True, since, message, advice)
    elif 2 * sum(state.is_up for state in states) > len(states):
        yield Finding(AlertKind.HOSTS_DOWN, "", False, now)
    for state in states:
        if state.is_up:
            yield Finding(AlertKind.HOST_DOWN, state.host, False, now)
        elif state.down and not is_half:
            message = f"{state.host} is down: {state.down}"
            yield Finding(AlertKind.HOST_DOWN, state.host, True, state.down_since, message, _DOWN_ADVICE)


def _judge_robots(
    host: str, robots: RobotsState | None, seeds: tuple[str, ...], now: float
) -> Iterator[Finding]:
    if robots is None:
        return
    if robots.verdict is Verdict.DEFER:
        if robots.status is not None:
            since = robots.down_since or robots.fetched_at
            lasts = f", for {span(now - since)}" if now > since else ""
            message = f"{host} cannot be crawled: its robots.txt {robots.outcome}{lasts}"
            yield Finding(AlertKind.ROBOTS_OUTAGE, host, True, since, message, _ROBOTS_ADVICE)
        return
    yield Finding(AlertKind.ROBOTS_OUTAGE, host, False, now)
    forbidden = [seed for seed in seeds if not robots.allowed(AGENT, seed)]
    why = robots.reason(AGENT, forbidden[0]) if forbidden else ""
    message = f"{host} may not be crawled: {why}" if forbidden else ""
    at = robots.fetched_at if forbidden else now
    is_wrong = bool(forbidden) and len(forbidden) == len(seeds)
    yield Finding(AlertKind.ROBOTS_FORBID, host, is_wrong, at, message, _FORBIDDEN_ADVICE)


def _judge_errors(queue: HostQueue, now: float, *, is_last: bool) -> Iterator[Finding]:
    """Judges the share of errors: of an own host answers of 429 and 5xx, of others 4xx, too."""
    errors, answers = queue.record.recent
    if answers >= LEAST_ANSWERS or (is_last and answers and errors <= MAX_ERRORS * answers):
        message = f"{errors} of the last {answers} answers of {queue.host} were errors"
        is_wrong = errors > MAX_ERRORS * answers
        yield Finding(AlertKind.ERROR_RATE, queue.host, is_wrong, now, message, _ERRORS_ADVICE)
