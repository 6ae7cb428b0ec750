"""Opens a crawl: resumes interrupted visits, and starts a new round of visits.

Rounds belong to hosts: whatever still waits somewhere, be it for a host that is down or because somebody
queued it by hand, what is known of each host is due once in every round.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from engine.crawl.discovery import SITEMAP_DEPTH
from engine.crawl.run import Run
from engine.database import MOVED_SEED, hosts, urls, write_transaction
from engine.frontier import Frontier, HostShare, NewUrl, Sites, call_for, count_queued
from engine.model import Purpose
from engine.roots import save_seeds
from engine.store import CUT_SHORT, Round, load_twins, open_journal, requeue_due

HOSTS_AT_ONCE = 50  # to a transaction; with a thousand URLs each it takes less than a second


def load_moved_sites(connection: sa.Connection, sites: Sites) -> Sites:
    """Loads the sites, with moved seeds and twins that earlier runs found."""
    sites = replace(sites, aliases=sites.aliases.with_twins(load_twins(connection)))
    query = sa.select(urls.c.url, urls.c.alias_of).where(MOVED_SEED, urls.c.reason == "redirect")
    for seed, target in connection.execute(query):
        if sites.refusal(target):
            sites = sites.with_moved_seed(seed, target)
    return sites


def requeue_due_pages(
    engine: sa.Engine, sites: Sites, share: HostShare, of: Round, now: float
) -> Iterator[sa.Connection]:
    """Queues known and due URLs of each host in scope that this round has not reached yet.

    A round of feeds alone reaches no host.

    Gives the connection of each of its transactions, for a sign of life: ten million URLs take a minute,
    and nobody else can write during a transaction.
    """
    last = 0
    while not of.feeds_only:
        with write_transaction(engine) as connection:
            due = hosts.c.round.is_distinct_from(of.number) & (hosts.c.id > last)
            some = sa.select(hosts.c.id, hosts.c.host, hosts.c.lease, hosts.c.round).where(due)
            rows = connection.execute(some.order_by(hosts.c.id).limit(HOSTS_AT_ONCE)).all()
            ours = [row for row in rows if sites.admits(row.host)]
            for row in ours:
                goes_on = row.round == CUT_SHORT and count_queued(connection, row.id)
                if not goes_on and requeue_due(connection, row.id, now, of) and row.lease in share.others:
                    call_for(connection, [row.id])
            met = sa.update(hosts).where(hosts.c.id.in_([row.id for row in ours]))
            connection.execute(met.values(round=of.number))
            yield connection
        if not rows:
            return
        last = rows[-1].id


def keep_journal(connection: sa.Connection, run: Run, frontier: Frontier, folder: Path, now: float) -> None:
    """Opens the journal of this run and resumes what a killed run left in it."""
    run.journal = open_journal(connection, folder, run.id, run.share.others, now)
    if run.journal.after_kill:
        frontier.slow_start.begin(now)


def load_root_set(connection: sa.Connection, sites: Sites) -> list[NewUrl]:
    """Loads the root set, to be queued; a URL of it that a link had led to moves to its depth."""
    seeds = [seed for seed in sites.seeds if not sites.refusal(seed)]
    found = [NewUrl(seed) for seed in seeds]
    found += [NewUrl(feed, SITEMAP_DEPTH, kind=Purpose.FEED) for feed in sites.feeds]
    known = sa.update(urls).where(urls.c.url == sa.bindparam("of"))
    page = sa.case((urls.c.kind == Purpose.FEED, Purpose.PAGE), else_=urls.c.kind)  # a sitemap may be a seed
    moved = known.where(urls.c.depth != 0).values(depth=0, kind=page, parent_id=None)
    named = known.where((urls.c.depth != SITEMAP_DEPTH) | (urls.c.kind != Purpose.FEED))
    named = named.values(depth=SITEMAP_DEPTH, kind=Purpose.FEED, parent_id=None)
    if found:
        roots = sites.roots
        save_seeds(connection, {one.url: roots[one.url] for one in found})
    for update, among in ((moved, seeds), (named, sites.feeds)):
        if among:
            connection.execute(update, [{"of": url} for url in among])
    return found
