"""`python -m benchmarks WHAT`: a JSON object a line for each figure, exit code 2 for what is missing."""

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
    crawl,
    extract,
    frontier,
    hosts,
    index,
    judged_site,
    load,
    near,
    query,
    robots,
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


def _ablation(chosen: argparse.Namespace) -> Iterator[Row]:
    if not chosen.collections:
        raise EngineError("there are no judged collections: name a folder of them with --collections")
    yield from ablation.rows(chosen.collections, _judged_site(chosen))


def _load(chosen: argparse.Namespace) -> Iterator[Row]:
    sites = unpacked(chosen.sites, chosen.packages or load.PACKAGES)
    yield from load.rows(sites, chosen.pages, chosen.collections)


def _tasks(chosen: argparse.Namespace) -> Iterator[Row]:
    (site,) = unpacked(chosen.sites, contested.PACKAGES)
    yield from contested.rows(site)


def _judged_site(chosen: argparse.Namespace) -> Site:
    (site,) = unpacked(chosen.sites, [judged_site.PACKAGE])
    return site


OF_SITES = {"analysis": analysis, "crawl": crawl, "extract": extract, "index": index, "query": query}
OF_GENERATED = {"index": index.generated_rows, "query": query.generated_rows}
WITHOUT_SITES: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "relevance": _relevance,
    "ablation": _ablation,
    "load": _load,
    "robots": lambda _: robots.rows(),
    "charset": lambda _: charset.rows(),
    "frontier": lambda chosen: frontier.rows(chosen.urls, chosen.plot),
    "near": lambda chosen: near.rows(chosen.urls),
    "tasks": _tasks,
    "hosts": lambda chosen: hosts.rows(chosen.hosts, chosen.seconds),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows as they are measured; the exit code."""
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
    """What is measured; EngineError for what is missing."""
    if chosen.what in WITHOUT_SITES:
        yield from WITHOUT_SITES[chosen.what](chosen)
        return
    _need_peers()
    if chosen.generated:
        yield from _of_generated(chosen)
        return
    benchmark = OF_SITES[chosen.what]
    yield from benchmark.rows(unpacked(chosen.sites, chosen.packages or benchmark.PACKAGES), chosen.pages)


def _of_generated(chosen: argparse.Namespace) -> Iterator[Row]:
    if chosen.what not in OF_GENERATED:
        raise EngineError(f"--generated is for {' and '.join(OF_GENERATED)}: {chosen.what} needs real sites")
    yield from OF_GENERATED[chosen.what](chosen.generated)


def _need_peers() -> None:
    if not find_spec("tantivy"):
        raise EngineError("tantivy is missing: pip install -c constraints.txt -e '.[bench]'")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", choices=[*OF_SITES, *WITHOUT_SITES])
    parser.add_argument(
        "--sites",
        type=Path,
        metavar="DIR",
        help="folder of unpacked Debian packages (default: build/sites, fetched when they are not there)",
    )
    parser.add_argument(
        "--packages",
        nargs="+",
        metavar="NAME",
        help="the full set is openjdk-17-doc libboost1.81-doc python3.11-doc (default: "
        f"{' '.join(crawl.PACKAGES)} for crawl, {' '.join(index.PACKAGES)} for the others, "
        f"all six of the marked pages for extract, {load.PACKAGES[-1]} after the full set for load)",
    )
    parser.add_argument(
        "--generated",
        type=_positive,
        metavar="N",
        help="index, query: so many generated documents in place of sites, against the native peer alone",
    )
    parser.add_argument("--pages", type=_positive, metavar="N", help="no more than so many pages")
    parser.add_argument(
        "--urls",
        type=_positive,
        metavar="N",
        default=frontier.SIZES[-1],
        help=f"frontier, near: up to so many known URLs, {frontier.FEWEST:,} at least (default: %(default)s)",
    )
    parser.add_argument(
        "--collections",
        type=Path,
        metavar="DIR",
        help="relevance, ablation, load: folder of judged collections",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="frontier: draw the figures, as SVG")
    for name, usual in (("hosts", hosts.HOSTS), ("seconds", hosts.SECONDS)):
        parser.add_argument(
            f"--{name}", type=_positive, metavar="N", default=usual, help=f"of hosts (default: {usual:,})"
        )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    # A polite kill ends everything that was started and deletes what was written, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main())
