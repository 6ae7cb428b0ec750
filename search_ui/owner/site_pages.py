"""Shows what is known of a host: overview, errors, broken links, titles, and what was left out."""

import time

from starlette.responses import Response

from engine.frontier import load_paused
from engine.generations import undamaged_generation
from engine.history import HISTORY, HostRow, count_recent_skips, load_host_row, open_history
from engine.linkgraph import BrokenLinks, find_broken_links, has_graph
from engine.model import Message
from engine.ownership import (
    load_errors,
    load_left_out,
    load_missing_urls,
    load_overview,
    load_page_texts,
)
from engine.report import MEANING
from engine.robots import Verdict
from engine.url import host_name
from search_ui.owner.site_page import SiteRequest

VERDICTS = {
    Verdict.OBEY: Message("Lycosa follows its rules."),
    Verdict.ALLOW_ALL: Message("Lycosa may fetch everything."),
    Verdict.DISALLOW_ALL: Message("Lycosa may fetch nothing."),
    Verdict.DEFER: Message("Nothing is fetched until it can be read."),
}
NO_LINKS = BrokenLinks((), 0, False)


def show_overview(asked: SiteRequest) -> Response:
    """Shows robots.txt as it was read last, what is stored, and the pace."""
    access, now = asked.context.access, time.time()
    with access.connect() as connection:
        overview = load_overview(connection, asked.host, now)
    paused = load_paused(access.config.database)
    states = [(MEANING[state], overview.states[state]) for state in MEANING if state in overview.states]
    return asked.render(
        "owner_overview.html",
        overview=overview,
        verdict=VERDICTS[overview.robots.verdict] if overview.robots else "",
        states=states,
        row=_load_row(asked, now),
        is_paused=asked.host in paused or host_name(f"{asked.host}/") in paused,
        rest_until=overview.rest_until if overview.rest_until > now else 0.0,
    )


def show_errors(asked: SiteRequest) -> Response:
    """Shows the URLs that brought nothing, and how many there are of each kind."""
    with asked.context.access.connect() as connection:
        found = load_errors(connection, asked.host)
    return asked.render("owner_errors.html", found=found)


def show_links(asked: SiteRequest) -> Response:
    """Shows which pages of the host link to pages that it does not have."""
    access = asked.context.access
    with access.connect() as connection:
        missing = load_missing_urls(connection, asked.host)
    generation = undamaged_generation(access.config.index)
    links = generation.links if generation and missing and has_graph(generation.links) else None
    found = find_broken_links(links, asked.host, missing) if links else NO_LINKS
    return asked.render("owner_links.html", found=found)


def show_titles(asked: SiteRequest) -> Response:
    """Shows which pages lack titles and descriptions, or share them (requirement 318)."""
    with asked.context.access.connect() as connection:
        texts = load_page_texts(connection, asked.host)
    return asked.render("owner_titles.html", texts=texts)


def show_skipped(asked: SiteRequest) -> Response:
    """Shows what a rule has left out: among known URLs, and of links that never came into the queue."""
    access = asked.context.access
    with access.connect() as connection:
        found = load_left_out(connection, asked.host)
    recent = count_recent_skips(access.config.data_dir, asked.host)
    return asked.render("owner_skipped.html", found=found, recent=recent, meaning=MEANING)


def _load_row(asked: SiteRequest, now: float) -> HostRow | None:
    """Loads what the last crawl counted of the host, None where there was none."""
    folder = asked.context.access.config.data_dir
    if not (folder / HISTORY).exists():
        return None
    with open_history(folder) as history:
        return load_host_row(history, asked.host, now)
