"""`scrapy serve`: serves the search page."""

import argparse
import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Any

from scrapy.utils.misc import load_object

from engine.admin import OperatorServices
from engine.audience import (
    EVERYBODY,
    EVERYONE,
    AudienceRules,
    View,
    read_audience_rules,
)
from engine.command import LycosaCommand, no_arguments
from engine.config import MANY_ADDRESSES, Config, ServerConfig
from engine.database import CrawlDatabase
from engine.errors import Busy, EngineError, IndexMissing, Unreadable
from engine.index.reader import IndexCache
from engine.index.searching import read_labels
from engine.metrics import CrawlMetrics
from engine.middleware import Identity
from engine.monitor import ALARM, Progress, TtlCache
from engine.oidc import open_provider
from engine.ranking import read_ranking
from engine.report import crawl_progress
from engine.search import SearchService, SearchViews, SeenIndex
from engine.submission import SubmissionService
from engine.suggest import FILE, MAX_DAYS, UNANSWERED_FILE, PastQueries

MAX_WORKERS = 64  # each has memory of its own: docs/memory.md

OPENED = frozenset({"", EVERYONE})  # what says of a label that everybody may see it

Parts = tuple[
    SearchService | SearchViews,
    Callable[[], Progress | None],
    Identity,
    ServerConfig,
    SubmissionService,
    OperatorServices,
]

logger = logging.getLogger("lycosa")


class Command(LycosaCommand):
    """Serves until it is stopped; sees new pages and new indexes by itself."""

    example = "scrapy serve --port 8000"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Serve the search page"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds where to listen."""
        super().add_options(parser)
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--workers", type=int, default=1, help="processes that serve (default: 1)")

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Runs the server. Raises EngineError when the port is in use or the data folder cannot be used."""
        no_arguments(args)
        if opts.workers not in range(1, MAX_WORKERS + 1):
            raise EngineError(
                f"--workers {opts.workers}: 1 to {MAX_WORKERS} are possible; one for each processor is enough"
            )
        assert self.settings is not None
        logging.basicConfig(level=logging.INFO, format="%(message)s")
        config = self.config()
        _warn_of_proxies(config.server)
        open_provider(config, os.environ)  # what is missing is said here, not by each worker
        damaged = _find_damage(config)
        with ExitStack() as stack:
            addresses = list_addresses(opts.host, opts.port, config.server)
            listeners = [stack.enter_context(listen(*address)) for address in addresses]
            host, port = listeners[0].getsockname()[:2]
            print(f"Lycosa answers at http://{host}:{port}/ (stop with Ctrl-C)", flush=True)
            if damaged:
                ALARM(str(damaged), damaged.path)
            names = [name for name, _ in addresses]
            if opts.workers == 1:
                serve: Any = load_object(self.settings["SEARCH_APP"])
                *parts, services = _assemble(config, names, _open_past_queries(config))
                serve(*parts, listeners, services)
            else:
                serve = load_object(self.settings["SEARCH_WORKERS"])
                self.exitcode = serve(opts.workers, listeners, lambda: self._load(names))

    def _load(self, names: Sequence[str]) -> tuple[Sequence[PastQueries], Callable[[], Parts]]:
        """Reads crawl.toml for workers; each opens files for itself. Raises EngineError."""
        config = self.config()
        past = _open_past_queries(config)
        return past, lambda: _assemble(config, names, past)


def _warn_of_proxies(serving: ServerConfig) -> None:
    for network in serving.trusted_proxies:
        if network.num_addresses > MANY_ADDRESSES and not network.is_loopback:
            logger.warning(
                "trusted_proxies in [serve]: any of %s may say for whom it asks; name web servers", network
            )


def _open_past_queries(config: Config) -> Sequence[PastQueries]:
    """Opens the files of past queries: those with hits, and those without."""
    days, folder = MAX_DAYS if config.past_queries else 0, config.data_dir
    return (
        PastQueries(folder / FILE, time.time, days),
        PastQueries(folder / UNANSWERED_FILE, time.time, config.unanswered_query_days, without_hits=True),
    )


def _assemble(config: Config, names: Sequence[str], past: Sequence[PastQueries]) -> Parts:
    """Assembles what is served on addresses of these names, in the order that search_ui takes it."""
    database = CrawlDatabase(config.database)
    rules = read_audience_rules(config)
    views = SearchViews(partial(_open_service, config, past, rules, IndexCache()))
    search = views.find(EVERYBODY)
    return (
        views if rules.rules else search,
        TtlCache(lambda: crawl_progress(database)),
        Identity(config.contact, config.public_url),
        replace(config.server, allowed_hosts=(*config.server.allowed_hosts, *names)),
        SubmissionService(config, lambda url: _has_page(search, url)),
        OperatorServices(CrawlMetrics(config, database), config),
    )


def _open_service(
    config: Config, past: Sequence[PastQueries], rules: AudienceRules, cache: IndexCache, view: View
) -> SearchService:
    """Opens the service of a view. What others ask who see more is counted nowhere, and offered to nobody."""
    labels = [label for label in config.labels if view.admits(frozenset({label.text("audience")}) - OPENED)]
    return SearchService(
        config.data_dir,
        read_ranking(config.ranking),
        past if view == EVERYBODY else (),
        read_labels(labels),
        cache,
        ALARM,
        SeenIndex(config.index, replace(view, digest=rules.digest)),
    )


def list_addresses(host: str, port: int, serving: ServerConfig) -> list[tuple[str, int]]:
    """Lists where to listen, with the operator's own address last, if it has one. Raises EngineError."""
    own = serving.admin_address
    if own and own[1] == port:
        raise EngineError(
            f"admin_address in [serve] has the port of the search page, {port}: choose another, so that the "
            "operator's pages are not on it"
        )
    return [(host, port), own] if own else [(host, port)]


def _find_damage(config: Config) -> Unreadable | None:
    """Describes damage of the folder, if any; what is indexed can be searched all the same."""
    try:
        with closing(CrawlDatabase(config.database)) as database:
            crawl_progress(database)
    except Unreadable as error:
        return error
    except Busy:
        pass
    return None


def _has_page(search: SearchService, url: str) -> bool:
    """Tells whether a page can be found; False where nothing is indexed yet."""
    try:
        return search.contains(url)
    except IndexMissing:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Opens a listening socket. Raises EngineError, with a plain sentence, when that fails."""
    try:
        if port not in range(0x10000):
            raise OSError("there are ports 0 to 65535")
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise EngineError(
            f"cannot listen on {host}:{port} ({error}); choose another with --port N"
        ) from error
