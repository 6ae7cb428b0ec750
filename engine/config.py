"""crawl.toml and Scrapy's settings -> one frozen Config, read once at the door."""

import itertools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import EngineError
from engine.robots import AUTH_STATUS, OUTAGE_AFTER, OUTAGE_DAYS, Policy
from engine.url import (
    NO_ALIASES,
    TRACKING_PARAMS,
    Aliases,
    KnownHost,
    canonicalize,
    hosts_named,
    page_name,
    param_name,
)

SCOPES = ("host", "domain", "prefix", "any")
PROFILES = ("polite", "brisk", "strict")
EXAMPLE = Path(__file__).with_name("crawl.example.toml")
Spelt = TypeVar("Spelt")


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """One [[site]] as the operator wrote it; the same as the -a arguments of one crawl."""

    seeds: tuple[str, ...]  # URLs, or files of URLs
    scope: str = "host"
    include: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None
    own: bool = False
    profile: str = "polite"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Cron times (five fields) of the two jobs; '' = never."""

    crawl: str = ""
    rebuild: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """All that the operator decided."""

    data_dir: Path
    contact: str = ""  # e-mail address or URL, sent with every request
    public_url: str = ""  # where site owners reach our pages, without a slash at the end
    allow_private: tuple[str, ...] = ()  # names, or name:port, whose private addresses may be contacted
    sites: tuple[SiteConfig, ...] = ()
    schedule: Schedule = Schedule()
    robots: Policy = Policy()
    aliases: Aliases = NO_ALIASES


def load(settings: Mapping[str, Any]) -> Config:
    """The operator's decisions: crawl.toml, with the settings of the same names before it.

    Raises EngineError with file, line and what to write when crawl.toml cannot be used.
    """
    path = Path(settings["CRAWL_TOML"])
    table = _Table(path, *_parse(path))
    table.only(
        "contact", "public_url", "allow_private", "tracking_params", "site", "host", "schedule", "robots"
    )
    private = str(settings.get("ALLOW_PRIVATE") or "")
    return Config(
        data_dir=Path(settings["DATA_DIR"]),
        contact=str(settings.get("CONTACT") or "") or table.text("contact"),
        public_url=_public_url(str(settings.get("PUBLIC_URL") or ""), "PUBLIC_URL")
        or _public_url(table.text("public_url"), table.where("public_url")),
        allow_private=tuple(filter(None, re.split(r"[,\s]+", private))) or table.texts("allow_private"),
        sites=tuple(_site(site) for site in table.tables("site")),
        schedule=_schedule(table),
        robots=_robots(table.table("robots")),
        aliases=_aliases(table),
    )


def compile_pattern(text: str, where: str) -> re.Pattern[str] | None:
    """A regular expression of the operator's, None for ''. Raises EngineError when it is none."""
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise EngineError(f"{where}: {text!r} is no regular expression: {error}") from error


def choose(word: str, words: tuple[str, ...], where: str) -> str:
    """The word, if it is one of the words. Raises EngineError otherwise."""
    if word not in words:
        raise EngineError(f"{where}: unknown {word!r}; write one of {', '.join(words)}")
    return word


def _parse(path: Path) -> tuple[dict[str, Any], str]:
    if not path.exists():
        return {}, ""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), text
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(f"{path}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise EngineError(f"{path}: {error}; 'scrapy init' writes an example to compare with") from error


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of crawl.toml that knows how to complain about itself."""

    path: Path
    values: dict[str, Any]
    text_of_file: str
    first_line: int = 1

    def where(self, key: str) -> str:
        line = next((n for n in self._lines(key) if n >= self.first_line), 0)
        return f"{self.path}, line {line}: {key}" if line else f"{self.path}: {key}"

    def only(self, *known: str) -> None:
        for key in self.values:
            if key not in known:
                raise EngineError(f"{self.where(key)} is unknown; write one of {', '.join(known)}")

    def text(self, key: str, default: str = "") -> str:
        return str(
            self._get(key, default, lambda value: isinstance(value, str), 'write text in quotes, "..."')
        )

    def flag(self, key: str) -> bool:
        return bool(self._get(key, False, lambda value: isinstance(value, bool), "write true or false"))

    def number(self, key: str, default: int) -> int:
        wanted = "write a whole number, not below zero"
        return int(self._get(key, default, lambda value: type(value) is int and value >= 0, wanted))

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        wanted = 'write a list of texts, ["..."]'
        return tuple(self._get(key, default, lambda value: _is_list_of(value, str), wanted))

    def spelt(
        self, key: str, spell: Callable[[str], Spelt], example: str, default: tuple[str, ...] = ()
    ) -> tuple[Spelt, ...]:
        where = self.where(key)
        return tuple(_spelt(text, spell, where, example) for text in self.texts(key, default))

    def tables(self, key: str) -> list["_Table"]:
        rows = self._get(key, [], lambda value: _is_list_of(value, dict), f"write [[{key}]] above its lines")
        starts = itertools.chain(self._lines(key), itertools.repeat(1))  # a table may stand in braces, too
        pairs = zip(rows, starts, strict=False)
        return [_Table(self.path, row, self.text_of_file, start) for row, start in pairs]

    def table(self, key: str) -> "_Table":
        row = self._get(key, {}, lambda value: isinstance(value, dict), f"write [{key}] above its lines")
        return _Table(self.path, row, self.text_of_file, next(self._lines(key), 1))

    def _lines(self, key: str) -> Iterator[int]:
        """The numbers of the lines that begin with a key, or with a table of this name."""
        begins = re.compile(rf"\s*\[*\s*{re.escape(key)}\b")
        return (n for n, line in enumerate(self.text_of_file.split("\n"), 1) if begins.match(line))

    def _get(self, key: str, default: Any, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self.values.get(key, default)
        if value != default and not fits(value):
            raise EngineError(f"{self.where(key)}: {wanted}")
        return value


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _site(table: _Table) -> SiteConfig:
    table.only("seeds", "scope", "include", "exclude", "own", "profile")
    seeds = table.texts("seeds")
    if not seeds:
        raise EngineError(f'{table.where("site")}: a [[site]] needs seeds = ["https://..."]')
    return SiteConfig(
        seeds=seeds,
        scope=choose(table.text("scope", "host"), SCOPES, table.where("scope")),
        include=compile_pattern(table.text("include"), table.where("include")),
        exclude=compile_pattern(table.text("exclude"), table.where("exclude")),
        own=table.flag("own"),
        profile=choose(table.text("profile", "polite"), PROFILES, table.where("profile")),
    )


def _aliases(table: _Table) -> Aliases:
    known: list[KnownHost] = []
    taken: set[str] = set()
    for row in table.tables("host"):
        host = _host(row)
        if twice := sorted(taken.intersection(host.hosts + host.aliases)):
            raise EngineError(f"{row.where('name')}: {twice[0]} stands in an earlier [[host]]; write it once")
        known.append(host)
        taken.update(host.hosts + host.aliases)
    return Aliases(tuple(known), table.spelt("tracking_params", param_name, "utm_*", TRACKING_PARAMS))


def _host(table: _Table) -> KnownHost:
    table.only("name", "aliases", "ignore_case", "index_names", "drop_params")
    if not (name := table.text("name")):
        raise EngineError(f'{table.where("host")}: a [[host]] needs name = "www.example.org"')
    return KnownHost(
        hosts=_spelt(name, hosts_named, table.where("name"), "www.example.org"),
        aliases=tuple(itertools.chain.from_iterable(table.spelt("aliases", hosts_named, "example.org"))),
        ignore_case=table.flag("ignore_case"),
        index_names=table.spelt("index_names", page_name, "index.html"),
        drop_params=table.spelt("drop_params", param_name, "sid"),
    )


def _spelt(text: str, spell: Callable[[str], Spelt], where: str, example: str) -> Spelt:
    """The operator's word in canonical spelling. Raises EngineError where it has none."""
    try:
        return spell(text)
    except ValueError as error:
        raise EngineError(f'{where}: {text!r}: {error}; write such as "{example}"') from error


def _public_url(text: str, where: str) -> str:
    """An http(s) address that a path can be appended to. Raises EngineError for what is none."""
    if not text:
        return ""
    try:
        url = canonicalize(text)
    except ValueError as error:
        raise EngineError(f'{where}: {text!r}: {error}; write "https://search.example.org"') from error
    if "?" in url:
        raise EngineError(f'{where}: {text!r} has a query; write "https://search.example.org"')
    return url.rstrip("/")


def _robots(table: _Table) -> Policy:
    table.only("auth_status", "outage_days", "outage_after")
    return Policy(
        auth_status=choose(table.text("auth_status", "deny"), AUTH_STATUS, table.where("auth_status")),
        outage_days=table.number("outage_days", OUTAGE_DAYS),
        outage_after=choose(table.text("outage_after", "stay"), OUTAGE_AFTER, table.where("outage_after")),
    )


def _schedule(table: _Table) -> Schedule:
    schedule = table.table("schedule")
    schedule.only("crawl", "rebuild")
    for job in ("crawl", "rebuild"):
        if (cron := schedule.text(job)) and len(cron.split()) != 5:
            raise EngineError(
                f'{schedule.where(job)}: {cron!r} is no cron time; write five fields, "30 3 * * *"'
            )
    return Schedule(crawl=schedule.text("crawl"), rebuild=schedule.text("rebuild"))
