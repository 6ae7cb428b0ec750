"""Looks one URL, host or prefix up: what is known of it, its robots.txt, and the request log."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from starlette.responses import Response

from engine.audience import read_audience_rules
from engine.config import Config
from engine.errors import EngineError
from engine.explain import explain_url, explanation_lines
from engine.history import trace_target
from engine.report import format_entry, ruling_lines, ruling_of_host
from engine.robots import AGENT
from engine.store import Extent, Store, Target, load_robots
from engine.submission import rule_against_known, settled_target, sites_written
from engine.url import host_of
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest

MAX_LINES = 100  # of the request log, the latest


@dataclass(frozen=True, slots=True)
class LookupPage:
    """What `scrapy explain`, `scrapy robots` and `scrapy trace` say, on one page."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the form, and what is known of `target`."""
        typed = asked.fields.get("target", "").strip()
        found: dict[str, Sequence[str]] = {}
        problem = ""
        if typed:
            try:
                found = self._find(settled_target(typed, self.config.aliases))
            except EngineError as error:
                problem = str(error)
        return render_admin(
            "lookup.html", asked, 422 if problem else 200, typed=typed, found=found, problem=problem
        )

    def _find(self, target: Target) -> dict[str, Sequence[str]]:
        url = target.text if target.extent is Extent.URL else ""
        with closing(Store(self.config.database)) as store:
            known = list(self._explain(store, url)) if url else []
            ruling = list(_rule(store, target))
        log = deque(trace_target(self.config.data_dir, target), MAX_LINES)
        return {"What is known": known, "robots.txt": ruling, "Requests": list(map(format_entry, log))}

    def _explain(self, store: Store, url: str) -> Sequence[str]:
        with store.engine.connect() as connection:
            sites = sites_written(connection, self.config)
            rule = rule_against_known(connection, self.config, sites, url)
        required = read_audience_rules(self.config).require(url)
        is_own = bool(sites and sites.is_own(host_of(url)))
        one = explain_url(store.engine, self.config.index, url, rule, required, is_own=is_own)
        return list(explanation_lines(one))


def _rule(store: Store, target: Target) -> Iterator[str]:
    """Tells what robots.txt says of the target, by the first of its hosts that was asked for it."""
    for host in target.hosts:
        if robots := load_robots(store.engine, host):
            url = target.text if target.text.startswith(f"{host}/") else f"{host}/"
            yield from ruling_lines(ruling_of_host(robots, AGENT, url, "rfc9309"), robots)
            return
