"""`scrapy plan`: estimates a crawl's duration and space."""

import argparse
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.config import Config
from engine.database import FILE, count_database_bytes, open_database, open_empty_database
from engine.errors import EngineError
from engine.frontier import Sites
from engine.generations import current_size
from engine.plan import (
    Assumptions,
    FolderSizes,
    Plan,
    PlanInput,
    forecast_lines,
    forecast_object,
    make_plan,
)
from engine.report import documents_indexed
from engine.store import (
    HostCounts,
    UrlCounts,
    count_all_urls,
    count_each_host,
    mean_url_length,
    measure_recent_visits,
)
from engine.submission import sites_written
from engine.url import host_of

MOST = 10**15  # URLs and characters; more is a slip of the finger


class Command(LycosaCommand):
    """Plans time, transfer, disk and memory before and during a crawl (requirements 24, 270, 272, 274)."""

    example = "scrapy plan --urls 500000000 --length 40"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Estimate the time and space that the crawl needs"

    def long_desc(self) -> str:
        """Says what the numbers are based on."""
        return (
            "Uses the data folder and the sites of crawl.toml, before or during a crawl; nothing is sent "
            "to any host. Queued URLs are certain, a lower bound; those still to be found are an "
            "estimate: each queued URL is expected to bring as many new ones as the last visits did. To "
            "plan a large crawl, make a small one first: scrapy crawl web -a max_pages=500."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json, --urls, --length."""
        super().add_options(parser)
        add_json_option(parser)
        parser.add_argument(
            "--urls", metavar="N", help="plan for N URLs, instead of those that are known or expected"
        )
        parser.add_argument("--length", metavar="L", help="mean length of a URL, instead of the measured one")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the plan. Raises EngineError when the data folder or crawl.toml cannot be used."""
        no_arguments(args)
        supposed = Assumptions(_number("--urls", opts.urls), _number("--length", opts.length))
        config = self.config()
        with _database(config) as connection:
            sites = sites_written(connection, config)
            made = _make_plan(connection, config, sites, supposed)
        # ASCII, because a stranger's text may hold what a terminal takes for orders.
        if opts.json:
            print(json.dumps(forecast_object(made)))
            return
        print("\n".join((*_find_caveats(config, made, sites), *forecast_lines(made))))


def _find_caveats(config: Config, made: Plan, sites: Sites | None) -> Iterator[str]:
    """Yields caveats to print before the numbers."""
    in_toml = "the seeds of crawl.toml are in a file" if config.sites else "crawl.toml names no sites"
    if not made.based_on.total.known:
        yield f"No crawl has been at {config.data_dir} yet,"
        yield f"and {in_toml}.\n" if sites is None else "so only the seeds of crawl.toml are known.\n"
    elif sites is None:
        yield f"Note: {in_toml}, so every host counts, at the pace of strangers.\n"


@contextmanager
def _database(config: Config) -> Iterator[sa.Connection]:
    """Opens the crawl database, or an empty one in memory where no file is, so as to leave no traces."""
    data_dir = config.data_dir
    there = (data_dir / FILE).exists() or (data_dir.exists() and not data_dir.is_dir())
    engine = open_database(config.database) if config.database_url or there else open_empty_database()
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _make_plan(connection: sa.Connection, config: Config, sites: Sites | None, supposed: Assumptions) -> Plan:
    recent = measure_recent_visits(connection)
    counts = count_all_urls(connection, recent.since)
    known = PlanInput(counts, mean_url_length(connection), recent, _folder(config), supposed)
    hosts = count_each_host(connection, recent.since)
    hosts = _with_seeds(hosts, sites.seeds if sites else ())
    return make_plan(known, hosts, sites, time.time(), config.limits.host_pages)


def _with_seeds(hosts: Iterator[HostCounts], seeds: tuple[str, ...]) -> Iterator[HostCounts]:
    """Adds hosts of seeds that no crawl has met yet."""
    new: dict[str, int] = {}
    for seed in seeds:
        new[host_of(seed)] = new.get(host_of(seed), 0) + 1
    for one in hosts:
        new.pop(one.host, None)
        yield one
    yield from (HostCounts(host, UrlCounts(known=queued, queued=queued)) for host, queued in new.items())


def _folder(config: Config) -> FolderSizes:
    data_dir = config.data_dir
    there = next(path for path in (data_dir.absolute(), *data_dir.absolute().parents) if path.exists())
    return FolderSizes(
        database=count_database_bytes(config.database),
        index=current_size(config.index),
        indexed_pages=documents_indexed(config.index),
        free=shutil.disk_usage(there).free,
    )


def _number(option: str, text: str | None) -> int:
    """Parses a whole number above zero, 0 without the option. Raises EngineError for anything else."""
    if text is None:
        return 0
    plain = text.replace(",", "").replace("_", "")
    if plain.isascii() and plain.isdigit() and 0 < int(plain[:20]) <= MOST:
        return int(plain)
    raise EngineError(f"{option} {text}: write a whole number from 1 to {MOST:,}")
