"""`scrapy token`: makes, lists and removes the tokens by which programs ask for recrawls."""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from scrapy.exceptions import UsageError

from engine.command import LycosaCommand, add_json_option, no_arguments
from engine.config import Config
from engine.database import RECRAWL, open_database, open_side, write_side
from engine.errors import EngineError
from engine.report import escape_text, format_time
from engine.store import Extent, Target
from engine.submission import (
    URLS_PER_HOUR,
    Token,
    add_token,
    load_tokens,
    remove_token,
    settled_target,
    sites_written,
)

MAX_PER_HOUR = 1_000_000  # URLs; more than any crawl visits


class Command(LycosaCommand):
    """Decides which programs may have which sites recrawled, by POST /api/recrawl."""

    example = "scrapy token add deploy --site www.example.org --per-hour 2000"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] add NAME --site HOST|PREFIX* [--site ...] | list | remove NAME"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Make, list and remove tokens for POST /api/recrawl"

    def long_desc(self) -> str:
        """Says what a token permits, and where it is kept."""
        return (
            "A token permits a program, such as one that deploys a site, to have pages of the named sites "
            "visited again: a host (www.example.org, or https://www.example.org) or a prefix "
            "(https://www.example.org/docs/*). 'add' prints it once; only its hash is kept. 'remove' takes "
            "effect at once. A program that asks for more URLs in an hour than --per-hour has to wait."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds what a token is for."""
        super().add_options(parser)
        parser.add_argument(
            "--site", action="append", default=[], metavar="HOST|PREFIX*", help="what it may have recrawled"
        )
        parser.add_argument(
            "--per-hour",
            type=int,
            default=URLS_PER_HOUR,
            metavar="N",
            help=f"how many URLs (default: {URLS_PER_HOUR:,})",
        )
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Does one of the three. Raises EngineError for sites that no crawl includes, and unknown names."""
        config = self.config()
        match args:
            case ["add", name]:
                said = _add(config, name, opts)
            case ["list", *rest]:
                no_arguments(rest)
                said = _list(config)
            case ["remove", name]:
                with write_side(config.database, RECRAWL) as ledger:
                    remove_token(ledger, name)
                said = {"removed": name}
            case _:
                raise UsageError
        print(json.dumps(said) if opts.json else "\n".join(_lines(said)))


def _add(config: Config, name: str, opts: argparse.Namespace) -> dict[str, Any]:
    if not opts.site:
        raise EngineError("name the sites that it may have recrawled: --site www.example.org")
    if not 0 < opts.per_hour <= MAX_PER_HOUR:
        raise EngineError(f"--per-hour {opts.per_hour}: write a number from 1 to {MAX_PER_HOUR:,}")
    sites = [_parse_site(config, typed) for typed in opts.site]
    with write_side(config.database, RECRAWL) as ledger:
        secret = add_token(ledger, name, sites, opts.per_hour, time.time())
        (made,) = (one for one in load_tokens(ledger) if one.name == name)
        return {"token": secret, **_object(made)}


def _parse_site(config: Config, typed: str) -> Target:
    """Parses a host or prefix. Raises EngineError for one that no site of crawl.toml includes."""
    target = settled_target(typed, config.aliases)
    if target.extent is Extent.URL:
        raise EngineError(f"--site {typed}: write a host, or a prefix with * at its end")
    with closing(open_database(config.database).connect()) as connection:
        sites = sites_written(connection, config)
    seeds = [] if sites is None else [seed for seed in sites.seeds if seed.startswith(target.prefixes)]
    if sites and not seeds and not any(map(sites.admits, target.hosts)):
        raise EngineError(f"--site {typed}: no [[site]] of crawl.toml includes it")
    return target


def _list(config: Config) -> dict[str, Any]:
    with open_side(config.database, RECRAWL) as ledger:
        return {"tokens": [_object(token) for token in load_tokens(ledger)]}


def _object(token: Token) -> dict[str, Any]:
    """Returns a token without its secret as JSON has it; times are ISO 8601, UTC, null for never."""
    used = None if token.used_at is None else format_time(token.used_at)
    named = {"name": token.name, "sites": token.sites, "urls_per_hour": token.per_hour}
    return {**named, "made_at": format_time(token.made_at), "used_at": used}


def _lines(said: dict[str, Any]) -> Iterator[str]:
    """Formats the same for people."""
    if "removed" in said:
        yield f"token {said['removed']!r} is removed"
        return
    if "token" in said:
        yield said["token"]
        yield "this is shown once, and only its hash is kept"
    for one in said.get("tokens", [said]):
        used = f"used last at {one['used_at']}" if one["used_at"] else "not used yet"
        sites = escape_text(", ".join(one["sites"]))
        yield f"{one['name']}: {sites}, {one['urls_per_hour']:,} URLs an hour, {used}"
    if "token" not in said and not said["tokens"]:
        yield "no tokens: 'scrapy token add NAME --site HOST' makes one"
