"""`scrapy explain URL`: explains what happened to a URL, and why."""

import argparse
import json
from contextlib import closing

from scrapy.exceptions import UsageError

from engine.audience import read_audience_rules
from engine.command import LycosaCommand, add_json_option
from engine.config import Config
from engine.database import open_database
from engine.errors import IndexMissing
from engine.explain import explain_url, explanation_lines, explanation_object
from engine.index.searching import RankExplanation
from engine.ranking import read_ranking
from engine.report import escape_text
from engine.search import SearchService, SeenIndex
from engine.submission import rule_against_known, sites_written
from engine.url import host_of, parse_typed_url

EXIT_UNKNOWN = 1


class Command(LycosaCommand):
    """Explains where a URL was found, and if it was visited, permitted and indexed (requirements 16, 309)."""

    example = "scrapy explain https://www.example.org/private/ --json"

    def syntax(self) -> str:
        """Returns the command's syntax for --help."""
        return "[options] URL [--query WORDS]"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Explain what happened to a URL, and why"

    def long_desc(self) -> str:
        """Says what the exit codes mean."""
        return (
            "Shows where a URL was found, which pages link to it, whether it was visited, may be fetched "
            "and is in the index, and which rule keeps it out. Nothing is sent to its host. With --query "
            "also its rank for these words, and each part of its score. Exit code 0: the URL is known to "
            "the crawl, 1: it is not."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds --json, and the query to explain the rank for."""
        super().add_options(parser)
        parser.add_argument("--query", metavar="WORDS", default="", help="explain its rank for these words")
        add_json_option(parser)

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Prints the record. Raises EngineError for what is no URL."""
        if len(args) != 1:
            raise UsageError
        config = self.config()
        url = parse_typed_url(args[0], config.aliases)
        database = open_database(config.database)
        with database.connect() as connection:
            sites = sites_written(connection, config)
            rule = rule_against_known(connection, config, sites, url)
        required = read_audience_rules(config).require(url)
        is_own = bool(sites and sites.is_own(host_of(url)))
        one = explain_url(database, config.index, url, rule, required, is_own=is_own)
        database.dispose()
        rank = _rank(config, url, opts.query) if opts.query.strip() else None
        # ASCII, because a stranger's text may hold what a terminal takes for orders.
        if opts.json:
            asked = {"rank": rank.as_object() if rank else None} if opts.query.strip() else {}
            print(json.dumps(explanation_object(one) | asked))
        else:
            print("\n".join((*explanation_lines(one), *(map(escape_text, rank.lines()) if rank else ()))))
        self.exitcode = 0 if one.known else EXIT_UNKNOWN
        self.tell_damage(one.index_status.damaged)


def _rank(config: Config, url: str, typed: str) -> RankExplanation | None:
    """Explains the rank; None where the index does not have the URL, or there is none."""
    with closing(
        SearchService(config.data_dir, read_ranking(config.ranking), index=SeenIndex(config.index))
    ) as search:
        try:
            return search.explain(url, typed)
        except IndexMissing:
            return None
