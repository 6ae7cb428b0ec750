"""Runs a benchmark: `python -m benchmarks NAME` prints one JSON object per figure."""

import argparse
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from benchmarks import (
    ablation,
    analysis,
    charset,
    cluster,
    crawl,
    crawlers,
    databases,
    extract,
    fleet,
    frontier,
    growth,
    hosts,
    index,
    judged_site,
    load,
    near,
    query,
    request_log,
    robots,
    section_links,
    titles,
)
from benchmarks.instruments.row import Row, report_progress
from benchmarks.sites import Site, unpacked
from benchmarks.tasks import contested
from engine.command import EXIT_MISUSE
from engine.errors import EngineError


def _relevance(chosen: argparse.Namespace) -> Iterator[Row]:
    _need_peers()
    from benchmarks import relevance  # here, because it needs a peer that not everybody has installed

    yield from relevance.rows(chosen.collections)
    if chosen.collections and (chosen.collections / judged_site.FILE).is_file():
        yield from judged_site.rows(chosen.collections, _judged_site(chosen))
        yield from titles.rows(unpacked(chosen.sites, chosen.packages or titles.PACKAGES))


def _ablation(chosen: argparse.Namespace) -> Iterator[Row]:
    if not chosen.collections:
        raise EngineError("there are no judged collections: name a folder of them with --collections")
    yield from ablation.rows(chosen.collections, _judged_site(chosen))


def _crawlers(chosen: argparse.Namespace) -> Iterator[Row]:
    workers = chosen.workers or crawlers.WORKERS
    yield from crawlers.rows(chosen.database, workers, chosen.hosts, chosen.seconds)


def _growth(chosen: argparse.Namespace) -> Iterator[Row]:
    _need_peers()
    yield from growth.rows(chosen.generated or growth.SIZES[-1], chosen.plot)


def _crawl(chosen: argparse.Namespace) -> Iterator[Row]:
    _need_peers()
    sites = unpacked(chosen.sites, chosen.packages or crawl.PACKAGES)
    yield from crawl.rows(sites, chosen.pages, chosen.plot)


def _load(chosen: argparse.Namespace) -> Iterator[Row]:
    sites = unpacked(chosen.sites, chosen.packages or load.PACKAGES)
    workers, *others = chosen.workers or [1]
    if others:
        raise EngineError("load is measured with one number of workers: name it with --workers")
    yield from load.rows(sites, chosen.pages, chosen.collections, workers)


def _tasks(chosen: argparse.Namespace) -> Iterator[Row]:
    (site,) = unpacked(chosen.sites, contested.PACKAGES)
    yield from contested.rows(site)


def _sections(chosen: argparse.Namespace) -> Iterator[Row]:
    yield from section_links.rows(unpacked(chosen.sites, chosen.packages or section_links.PACKAGES))


def _judged_site(chosen: argparse.Namespace) -> Site:
    (site,) = unpacked(chosen.sites, [judged_site.PACKAGE])
    return site


OF_SITES = {"analysis": analysis, "extract": extract, "index": index, "query": query}
OF_GENERATED = {"index": index.generated_rows, "query": query.generated_rows}
WITHOUT_SITES: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "crawl": _crawl,
    "relevance": _relevance,
    "ablation": _ablation,
    "growth": _growth,
    "load": _load,
    "robots": lambda _: robots.rows(),
    "charset": lambda _: charset.rows(),
    "request_log": lambda _: request_log.rows(),
    "frontier": lambda chosen: frontier.rows(chosen.urls, chosen.plot),
    "near": lambda chosen: near.rows(chosen.urls),
    "tasks": _tasks,
    "sections": _sections,
    "databases": lambda chosen: databases.rows(chosen.database, chosen.urls),
    "cluster": lambda chosen: cluster.rows(chosen.collections, chosen.cluster),
    "fleet": lambda chosen: fleet.rows(
        chosen.database, chosen.urls, chosen.workers or fleet.WORKERS, chosen.plot
    ),
    "crawlers": _crawlers,
    "hosts": lambda chosen: hosts.rows(chosen.hosts, chosen.seconds),
}


SUMMARIES = {
    "analysis": "text analysis: megabytes per second",
    "crawl": "crawling: pages per second",
    "extract": "main text extraction: F1 and CPU time",
    "index": "indexing: documents per second, size on disk",
    "query": "queries: milliseconds to the first ten hits",
    "relevance": "ranking: nDCG@10 on judged collections, pages first for their titles",
    "ablation": "ranking: nDCG@10 without each signal in turn",
    "load": "search page under load, beside a running crawl: milliseconds per page",
    "robots": "robots.txt: microseconds to parse and to match",
    "request_log": "request log: microseconds for a visit",
    "charset": "charset detection: share of texts decoded correctly",
    "frontier": "frontier: CPU time per claim and per page of links, memory",
    "sections": "section links: share that open where the manual's own index says",
    "near": "near duplicates: precision, recall, time per lookup",
    "tasks": "twelve search tasks in a real browser: time, bytes, requests",
    "databases": "crawl database: microseconds on a PostgreSQL server and in a file of SQLite",
    "cluster": "an index in an OpenSearch cluster beside one in a folder: answers, milliseconds",
    "fleet": "1 to 64 simulated crawls on a PostgreSQL server: pages per second, joins, leaves",
    "growth": "indexing and queries over a thousand to a million generated documents: costs of one",
    "crawlers": "crawling many hosts by several processes on a PostgreSQL server: pages per second",
    "hosts": "crawling many hosts: pages per second, idle time",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rows as they are measured; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        with closing(_rows(chosen)) as rows:
            for row in rows:
                print(row.line(), flush=True)
    except EngineError as error:
        report_progress(f"benchmarks: {error}")
        return EXIT_MISUSE
    return 0


def _rows(chosen: argparse.Namespace) -> Generator[Row]:
    """Runs the benchmark. Raises EngineError for what is missing."""
    if chosen.generated and chosen.what not in (*OF_GENERATED, "growth"):
        raise EngineError(f"--generated is for {', '.join(OF_GENERATED)} and growth, not for {chosen.what}")
    if chosen.what in WITHOUT_SITES:
        yield from WITHOUT_SITES[chosen.what](chosen)
        return
    _need_peers()
    if chosen.generated:
        yield from OF_GENERATED[chosen.what](chosen.generated)
        return
    benchmark = OF_SITES[chosen.what]
    yield from benchmark.rows(unpacked(chosen.sites, chosen.packages or benchmark.PACKAGES), chosen.pages)


def _need_peers() -> None:
    if not find_spec("tantivy"):
        raise EngineError("tantivy is missing: pip install -c constraints.txt -e '.[bench]'")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        usage="%(prog)s [options] NAME",
        description="Measures Lycosa beside its peers and prints one JSON object per figure.\n"
        "Exit code 2: a peer, a site or a collection is missing.",
        epilog="benchmarks:\n" + "\n".join(f"  {name:<12}{what}" for name, what in SUMMARIES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=[*SUMMARIES], metavar="NAME", help="one of those listed below")
    _add_site_options(parser)
    parser.add_argument(
        "--urls",
        type=_positive,
        metavar="N",
        default=frontier.SIZES[-1],
        help="frontier, near, databases, fleet: the largest number of known URLs, at least "
        f"{frontier.FEWEST:,} (default: {frontier.SIZES[-1]:,})",
    )
    parser.add_argument(
        "--collections",
        type=Path,
        metavar="DIR",
        help="relevance, ablation, load, cluster: folder of judged collections",
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="databases, crawlers, fleet: an empty one of a server",
    )
    parser.add_argument("--cluster", default="", metavar="URL", help="cluster: opensearch+https://HOST:9200")
    parser.add_argument(
        "--workers",
        type=_numbers,
        metavar="N,...",
        help="crawlers, fleet: how many at once, by turns (default: "
        f"{_list(crawlers.WORKERS)} and {_list(fleet.WORKERS)}); load: processes that serve (default: 1)",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="crawl, frontier, fleet, growth: plot the figures as SVG"
    )
    for name, usual, what in (
        ("hosts", hosts.HOSTS, "number of hosts"),
        ("seconds", hosts.SECONDS, "seconds to crawl"),
    ):
        parser.add_argument(
            f"--{name}",
            type=_positive,
            metavar="N",
            default=usual,
            help=f"crawlers, hosts: {what} (default: {usual})",
        )
    return parser


def _add_site_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of benchmarks that need real sites."""
    parser.add_argument(
        "--sites",
        type=Path,
        metavar="DIR",
        help="folder of unpacked Debian packages (default: build/sites; missing packages are fetched)",
    )
    parser.add_argument(
        "--packages",
        nargs="+",
        metavar="PACKAGE",
        help="Debian packages of documentation to use; the full set is openjdk-17-doc libboost1.81-doc "
        f"python3.11-doc (default: {' '.join(crawl.PACKAGES)} for crawl, six packages for extract, "
        f"the full set and {load.PACKAGES[-1]} for load, else {' '.join(index.PACKAGES)})",
    )
    parser.add_argument(
        "--generated",
        type=_positive,
        metavar="N",
        help="index, query: use N generated documents instead of sites, the only peer is Tantivy; growth: "
        f"use up to N (default: {growth.SIZES[-1]:,})",
    )
    parser.add_argument("--pages", type=_positive, metavar="N", help="use at most N pages of the sites")


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> list[int]:
    return [_positive(part) for part in text.split(",")]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    # SIGTERM ends subprocesses and deletes temporary files, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main())
