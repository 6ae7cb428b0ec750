"""Loads crawl.toml and Scrapy's settings into one frozen Config."""

import itertools
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.config.addresses import parse_cluster_url, parse_database_url, parse_public_url
from engine.config.alerting import AlertsConfig, read_alerts
from engine.config.audiences import read_audiences
from engine.config.languages import parse_ocr_language
from engine.config.limits import LimitsConfig, read_limits
from engine.config.logins import Login, Proxy, read_ca_file, read_logins, read_proxies
from engine.config.oidc import read_oidc
from engine.config.reading_limits import TYPES, parse_types
from engine.config.rebuilding import RebuildLimits, read_rebuild_limits
from engine.config.screening import ScreeningConfig, read_screening
from engine.config.serving import ServerConfig, read_server_config
from engine.config.site import SiteConfig, read_site
from engine.config.table import Table, parse_word
from engine.errors import EngineError
from engine.formats import READABLE
from engine.opensearch import ClusterIndex
from engine.robots import AUTH_STATUS, OUTAGE_AFTER, OUTAGE_DAYS, Policy
from engine.url import (
    NO_ALIASES,
    TRACKING_PARAMS,
    Aliases,
    KnownHost,
    parse_hosts,
    parse_page_name,
    parse_param_name,
)

LOG_DAYS = 30  # for which the request log is kept: complaints come within weeks
EMPTY_TABLE = Table(Path(), {}, "")
EXAMPLE = Path(__file__).parent.with_name("crawl.example.toml")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Cron times (five fields) of the jobs; '' = never."""

    crawl: str = ""
    rebuild: str = ""
    feeds: str = ""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The rules by which pages count as copies of each other."""

    near_duplicates: bool = True  # also those that differ in dates, counters and adverts (requirement 58)
    require_same_links: bool = False  # only those that also link to the same URLs (requirement 57)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of the operator."""

    data_dir: Path
    contact: str = ""  # e-mail address or URL, sent with every request
    public_url: str = ""  # where site owners reach our pages, without a slash at the end
    allow_private: tuple[str, ...] = ()  # names, or name:port, whose private addresses may be contacted
    sites: tuple[SiteConfig, ...] = ()
    schedule: Schedule = Schedule()
    robots: Policy = Policy()
    aliases: Aliases = NO_ALIASES
    limits: LimitsConfig = LimitsConfig()
    screening: ScreeningConfig = ScreeningConfig()
    duplicates: Duplicates = Duplicates()
    rebuild: RebuildLimits = RebuildLimits()
    server: ServerConfig = ServerConfig()
    ranking: Table = EMPTY_TABLE  # what crawl.toml says of it: engine.ranking reads it
    labels: tuple[Table, ...] = ()  # likewise: engine.index.searching.labels, engine.audience
    types: frozenset[str] = READABLE  # media types of the documents that are read
    ocr: tuple[
        str, ...
    ] = ()  # languages in which scanned pages are read, as Tesseract names them; (): they are not
    past_queries: bool = False  # what several people asked is offered to others
    unanswered_query_days: int = 0  # for which queries without hits of several people are kept; 0: none is
    request_log_days: int = LOG_DAYS  # for which a line of the request log is kept; 0: none is written
    alerts: AlertsConfig = AlertsConfig()
    keep_responses: bool = False  # as they were received, in WARC files: engine.responses
    submissions: bool = True  # the search page takes URLs that people want visited
    database_url: str = ""  # of PostgreSQL; '': the crawl database is a file in data_dir
    cluster_url: str = ""  # of OpenSearch; '': the index is a folder in data_dir
    logins: tuple[Login, ...] = ()  # of hosts that ask who one is
    proxies: tuple[Proxy, ...] = ()  # for hosts that are named one by one
    ca_file: Path | None = None  # certificates that are trusted besides the system's

    @property
    def database(self) -> Path | str:
        """Where the crawl database is: engine.database.open_database."""
        return self.database_url or self.data_dir

    @property
    def index(self) -> Path | ClusterIndex:
        """Where the index is: engine.generations.IndexLocation."""
        return ClusterIndex(self.cluster_url, self.database_url) if self.cluster_url else self.data_dir


_KEYS = (
    *("contact", "public_url", "allow_private", "tracking_params", "types", "ocr", "submissions"),
    *("keep_responses", "request_log_days"),
    *("site", "host", "label", "limits", "schedule", "robots", "screening", "duplicates", "rebuild"),
    *("ranking", "serve", "alerts", "database", "index", "login", "proxy", "ca_file", "audience"),
    "oidc",
)
"""What crawl.toml may say."""


def load_config(settings: Mapping[str, Any]) -> Config:
    """Loads crawl.toml; Scrapy settings of the same names come first.

    Raises EngineError with file, line and what to write when crawl.toml cannot be used.
    """
    path = Path(settings["CRAWL_TOML"])
    table = Table(path, *_read_toml(path))
    table.check_keys(*_KEYS)
    private = str(settings.get("ALLOW_PRIVATE") or "")
    contact = str(settings.get("CONTACT") or "") or table.text("contact")
    database = parse_database_url(table.text("database"), table.where("database"))
    public_url = parse_public_url(str(settings.get("PUBLIC_URL") or ""), "PUBLIC_URL") or parse_public_url(
        table.text("public_url"), table.where("public_url")
    )
    audiences, oidc = read_audiences(table.tables("audience")), read_oidc(table.table("oidc"), public_url)
    return Config(
        data_dir=Path(settings["DATA_DIR"]),
        contact=contact,
        public_url=public_url,
        allow_private=_read_private(tuple(filter(None, re.split(r"[,\s]+", private))), "ALLOW_PRIVATE")
        or _read_private(table.texts("allow_private"), table.where("allow_private")),
        sites=tuple(read_site(site) for site in table.tables("site")),
        schedule=_read_schedule(table),
        robots=_read_robots(table.table("robots")),
        aliases=_read_aliases(table),
        limits=read_limits(table.table("limits")),
        screening=read_screening(table.table("screening")),
        duplicates=_read_duplicates(table.table("duplicates")),
        rebuild=read_rebuild_limits(table.table("rebuild")),
        server=read_server_config(table.table("serve"), audiences, oidc),
        ranking=table.table("ranking"),
        labels=tuple(table.tables("label")),
        types=_read_types(table),
        ocr=table.parsed("ocr", parse_ocr_language, "eng"),
        past_queries=table.table("serve").flag("past_queries"),
        unanswered_query_days=table.table("serve").number("unanswered_query_days", 0),
        request_log_days=table.number("request_log_days", LOG_DAYS),
        alerts=read_alerts(table.table("alerts"), contact, os.environ),
        keep_responses=table.flag("keep_responses"),
        submissions=table.flag("submissions", default=True),
        database_url=database,
        cluster_url=parse_cluster_url(table.text("index"), table.where("index"), database),
        logins=read_logins(table),
        proxies=read_proxies(table),
        ca_file=read_ca_file(table),
    )


def _read_toml(path: Path) -> tuple[dict[str, Any], str]:
    if not path.exists():
        return {}, ""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), text
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(f"{path}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise EngineError(f"{path}: {error}; 'scrapy init' writes an example to compare with") from error


def _read_aliases(table: Table) -> Aliases:
    known: list[KnownHost] = []
    taken: set[str] = set()
    for row in table.tables("host"):
        host = _read_host(row)
        if twice := sorted(taken.intersection(host.hosts + host.aliases)):
            raise EngineError(f"{row.where('name')}: {twice[0]} is in an earlier [[host]]; write it once")
        known.append(host)
        taken.update(host.hosts + host.aliases)
    return Aliases(tuple(known), table.parsed("tracking_params", parse_param_name, "utm_*", TRACKING_PARAMS))


def _read_host(table: Table) -> KnownHost:
    table.check_keys("name", "aliases", "ignore_case", "index_names", "drop_params")
    if not (name := table.text("name")):
        raise EngineError(f'{table.where("host")}: a [[host]] needs name = "www.example.org"')
    return KnownHost(
        hosts=parse_word(name, parse_hosts, table.where("name"), "www.example.org"),
        aliases=tuple(itertools.chain.from_iterable(table.parsed("aliases", parse_hosts, "example.org"))),
        ignore_case=table.flag("ignore_case"),
        index_names=table.parsed("index_names", parse_page_name, "index.html"),
        drop_params=table.parsed("drop_params", parse_param_name, "sid"),
    )


def _read_private(names: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Checks the hosts that may be private. Raises EngineError for a network.

    With a network any stranger's name that resolves into it would be contacted, whatever answers there.
    """
    for name in names:
        if re.search(r"[^/]/+[0-9]", name.partition("://")[2] or name) or "*" in name:
            raise EngineError(f'{where}: {name!r} is more than a host; name each one, "intranet.example.org"')
    return names


def _read_types(table: Table) -> frozenset[str]:
    types = frozenset(itertools.chain.from_iterable(table.parsed("types", parse_types, "pdf", tuple(TYPES))))
    if not types:
        raise EngineError(f'{table.where("types")}: no type is left; write, for example, ["html", "pdf"]')
    return types


def _read_robots(table: Table) -> Policy:
    table.check_keys("auth_status", "outage_days", "outage_after")
    return Policy(
        auth_status=table.choice("auth_status", AUTH_STATUS),
        outage_days=table.number("outage_days", OUTAGE_DAYS),
        outage_after=table.choice("outage_after", OUTAGE_AFTER),
    )


def _read_duplicates(table: Table) -> Duplicates:
    table.check_keys("near_duplicates", "require_same_links")
    return Duplicates(
        near_duplicates=table.flag("near_duplicates", default=True),
        require_same_links=table.flag("require_same_links"),
    )


def _read_schedule(table: Table) -> Schedule:
    schedule = table.table("schedule")
    jobs = ("crawl", "rebuild", "feeds")
    schedule.check_keys(*jobs)
    for job in jobs:
        if (cron := schedule.text(job)) and len(cron.split()) != 5:
            raise EngineError(
                f'{schedule.where(job)}: {cron!r} is not a cron time; write five fields, "30 3 * * *"'
            )
    return Schedule(*map(schedule.text, jobs))


def require_contact(config: Config, whom: str) -> None:
    """Requires a contact, so that hosts can reach the operator (requirement 68).

    Raises EngineError without.
    """
    if not config.contact:
        raise EngineError(f"tell {whom} who asks, with -s CONTACT=you@example.org or contact in crawl.toml")
