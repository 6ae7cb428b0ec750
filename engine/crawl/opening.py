"""How a crawl begins: with what earlier runs have learned."""

from dataclasses import replace

import sqlalchemy as sa

from engine.frontier.sites import Sites
from engine.page import State
from engine.store.revisit import requeue
from engine.store.tables import hosts, urls
from engine.store.twins import twins_kept


def moved_sites(connection: sa.Connection, sites: Sites) -> Sites:
    """The sites, with what earlier runs found of seeds that moved to another host, and of twins."""
    sites = replace(sites, aliases=sites.aliases.with_twins(twins_kept(connection)))
    query = sa.select(urls.c.url, urls.c.alias_of).where(
        urls.c.depth == 0, urls.c.state == State.ALIAS, urls.c.reason == "redirect"
    )
    for seed, target in connection.execute(query):
        if sites.refusal(target):
            sites = sites.joined_by(seed, target)
    return sites


def visit_again(connection: sa.Connection, sites: Sites, now: float, *, rested: bool) -> None:
    """Everything known in scope that is due waits again; `rested`: only what has had its rest."""
    for number, host in connection.execute(sa.select(hosts.c.id, hosts.c.host)).all():
        if sites.admits(host):
            requeue(connection, number, now, rested=rested)
