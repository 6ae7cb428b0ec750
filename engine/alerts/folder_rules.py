"""Finds what is wrong with a data folder: disk, memory, index, rebuilds, suspects, quarantine."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import sqlalchemy as sa

from engine import generations
from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.memory import measure_memory
from engine.complaints import load_open_complaints
from engine.folder import FreeSpace
from engine.generations import IndexLocation
from engine.monitor import count
from engine.store import Store, count_trap_hosts, load_last_run, load_quarantine
from engine.url import host_of

MAX_MEMORY = 0.9  # of what this service, or the machine, may use; the kernel kills soon after
MEMORY_SECONDS = 180.0  # for which it has to be full: a merge of segments takes some for a moment
BEHIND_SECONDS = 900.0  # without a step of the index; 10 s are usual while a crawl runs
MAX_COMPLAINTS = 50  # that are told at once; the others when some of them are closed
MAX_QUOTED = 300  # characters of a complaint in its alarm
MAX_QUARANTINED = 20  # hosts that are named


def judge_disk(space: FreeSpace, now: float) -> Iterator[Finding]:
    """Judges whether the disk has the room that crawls leave."""
    lack = space.shortage()
    advice = (
        "Free some space: a crawl that waits goes on by itself. free_megabytes in [limits] sets the floor."
    )
    yield Finding(
        AlertKind.DISK, "", bool(lack), now, f"The disk is nearly full: {lack}" if lack else "", advice
    )


def judge_memory(now: float) -> Iterator[Finding]:
    """Judges whether the service, or the machine, is about to run out of memory."""
    if measured := measure_memory():
        used, limit, where = measured
        message = f"{used / limit:.0%} of {limit / 1e6:,.0f} MB of memory are in use ({where})"
        advice = (
            "Look which process grows, allow more (MemoryMax in the systemd unit), or crawl fewer hosts at a "
            "time: 'scrapy plan' says what a crawl needs. A killed crawl goes on when it is run again."
        )
        is_full = used > MAX_MEMORY * limit
        yield Finding(AlertKind.MEMORY, "", is_full, now, message, advice, MEMORY_SECONDS)


def judge_index(store: Store, index: IndexLocation, now: float) -> Iterator[Finding]:
    """Judges whether the index follows the crawl database while there is something to follow."""
    behind = generations.count_behind(index, store.last_change())
    generation = generations.undamaged_generation(index)
    mark = str(generation.caught_up) if generation else ""
    message = f"The index lacks {count(behind, 'change')}, and has taken up none for a quarter of an hour"
    advice = (
        "Look for an error of the process that indexes in the log of the crawl, and at the disk; the next "
        "crawl takes up what is missing, 'scrapy check' looks for damage, 'scrapy rebuild' makes a new index."
    )
    yield Finding(AlertKind.INDEX_BEHIND, "", behind > 0, now, message, advice, BEHIND_SECONDS, mark)


def judge_rebuild(index: IndexLocation, now: float) -> Iterator[Finding]:
    """Judges whether the last rebuild was refused."""
    refused = generations.refused_generation(index)
    reasons = refused.refusal_reasons if refused else []
    more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
    message = (
        f"The new index was refused, and the old one stays: {reasons[0] if reasons else 'no reason'}{more}"
    )
    advice = (
        "'scrapy rebuild' tries again and prints all reasons; 'scrapy rebuild --force' publishes the refused "
        "index all the same."
    )
    yield Finding(AlertKind.REBUILD_REFUSED, "rebuild", bool(refused), now, message, advice)


def judge_suspects(connection: sa.Connection, known: Collection[Alert], now: float) -> Iterator[Finding]:
    """Judges whether the last crawl has met new traps, and whether those of earlier ones were judged."""
    run = load_last_run(connection, "crawl")
    begun = {alert.subject: alert.since for alert in known if alert.kind is AlertKind.TRAP}
    if run:
        begun.setdefault(f"crawl {run.id}", run.started_at)
    for subject, since in begun.items():
        hosts, example = count_trap_hosts(connection, since)
        looks = count(hosts, "host looks like a trap", "hosts look like traps")
        advice = (
            "'scrapy suspects' lists why; --accept NUMBER --reason TEXT blocks one, --dismiss NUMBER keeps "
            "it. Until then they are asked less and less."
        )
        message = f"{looks}, for example {example}"
        yield Finding(AlertKind.TRAP, subject, hosts > 0, since if hosts else now, message, advice)


def judge_quarantine(connection: sa.Connection, known: Collection[Alert], now: float) -> Iterator[Finding]:
    """Judges for each host whether it has pages with secrets that wait for the operator."""
    pages = load_quarantine(connection)
    hosts = Counter(host_of(page.url) for page in pages)
    first = {host_of(page.url): page for page in reversed(pages)}
    for host, number in hosts.most_common(MAX_QUARANTINED):
        page = first[host]
        has = count(number, "page has secrets and is", "pages have secrets and are")
        yield Finding(
            AlertKind.QUARANTINE,
            host,
            is_wrong=True,
            at=page.found_at,
            message=f"{has} not indexed: {page.url} ({', '.join(page.kinds)})",
            advice="Have the page taken down and the secret changed: others have read it, too. 'scrapy "
            "quarantine' lists all, --release URL lets one in.",
        )
    for alert in known:
        if alert.kind is AlertKind.QUARANTINE and alert.subject not in hosts:
            yield Finding(AlertKind.QUARANTINE, alert.subject, False, now)


def judge_complaints(location: Path | str, known: Collection[Alert], now: float) -> Iterator[Finding]:
    """Judges for each complaint of a site's owner whether it is open: it is over once it is closed."""
    opened = load_open_complaints(location)
    for one in opened[:MAX_COMPLAINTS]:
        contact = f" ({one.contact})" if one.contact else ""
        yield Finding(
            AlertKind.COMPLAINT,
            f"complaint {one.number}",
            is_wrong=True,
            at=one.at,
            message=f"The owner of {one.host}{contact} complains: {one.text[:MAX_QUOTED]}",
            advice=f"Answer it at /admin/complaints, or with 'scrapy complaints --close {one.number} "
            "--answer TEXT'; its owner reads the answer. Until then the host is paused, if that is wanted.",
        )
    still = {f"complaint {one.number}" for one in opened}
    for alert in known:
        if alert.kind is AlertKind.COMPLAINT and alert.subject not in still:
            yield Finding(AlertKind.COMPLAINT, alert.subject, False, now)
