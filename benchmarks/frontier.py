"""Measures the frontier with ten thousand to ten million known URLs: claims, outlinks, memory.

Each size in processes of its own, ours and Scrapy's scheduler with its queue on disk and its dupefilter.
Times are of the CPU, in the kernel too: what a disk adds that is slower than memory is not in them.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora.filled import EPOCH, NAVIGATION, fill_database, host, hosts_of, url
from benchmarks.instruments.plot import Curve, require_folder, write_plot
from benchmarks.instruments.row import Row, cost_row, report_progress
from benchmarks.peers import scrapy_frontier
from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.errors import EngineError
from engine.frontier.sites import build_sites
from engine.model.page import Claim, Fetch, Reading, State, Visit
from engine.robots import Directives
from engine.store.page_store import Store

PEER = "scrapy"
FEWEST = 1_000  # known URLs: below, a host has too few for a page's links
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
PEER_MOST = 1_000_000  # known URLs; ten times as many take the peer a quarter of an hour and 2 GB
CLAIMS_OF_HOST = 10  # a line's worth, where there are 10,000 hosts: each line is read once
PAGES = 1_000  # whose outlinks are added,
COMMIT = 50  # so many in one transaction
# Links of a page besides the navigation: to pages met lately, to pages met long ago, to new ones.
KNOWN, OLD, NEW_LINKS = 20, 5, 5
SEED = 0x4C59
MEGABYTE, MICRO = 1e6, 1e6
# Microseconds, microseconds, megabytes.
CLAIM_BUDGET, ADD_BUDGET, MEMORY_BUDGET = 1_000, 2_000, 500


@dataclass(frozen=True, slots=True)
class FrontierCosts:
    """What one contestant needs at one size."""

    claim: float  # microseconds a URL
    add: float  # microseconds a page
    memory: float  # megabytes: the most the process ever held
    loaded: float = 0.0  # megabytes once the frontier was loaded
    load: float = 0.0  # seconds that took


def rows(most: int, plot: Path | None) -> Iterator[Row]:
    """Three figures a size, beside the peer's where it comes so far; then the plot.

    Raises EngineError for fewer URLs than FEWEST, or a plot that cannot be written.
    """
    if most < FEWEST:
        raise EngineError(f"--urls {most} is too few: name {FEWEST} at least")
    if plot:
        require_folder(plot)
    ours: dict[int, FrontierCosts] = {}
    theirs: dict[int, FrontierCosts] = {}
    for known in (*(size for size in SIZES if size < most), most):
        report_progress(f"{known:,} known URLs on {hosts_of(known):,} hosts")
        ours[known] = _alone(_ours, known)
        if known <= PEER_MOST:
            report_progress("the same with Scrapy's scheduler")
            theirs[known] = _alone(_theirs, known)
        yield from _rows(known, ours[known], theirs.get(known))
    if plot:
        write_plot(plot, "Microseconds by known URLs", _curves(ours, theirs))


def _rows(known: int, ours: FrontierCosts, theirs: FrontierCosts | None) -> Iterator[Row]:
    budgets = {"claim": CLAIM_BUDGET, "add": ADD_BUDGET, "memory": MEMORY_BUDGET}
    for name, budget in budgets.items():
        value: float = getattr(ours, name)
        row = Row(f"frontier.{name}.{known}", value)
        if theirs:
            row = cost_row(row.name, value, PEER, getattr(theirs, name))
        yield replace(row, budget=budget)
    yield Row(f"frontier.info.loaded.{known}", ours.loaded)
    yield Row(f"frontier.info.load.{known}", ours.load)


def _curves(ours: dict[int, FrontierCosts], theirs: dict[int, FrontierCosts]) -> Sequence[Curve]:
    return [
        Curve(f"{name}, {who}", [(known, value(one)) for known, one in sizes.items()], dashed=sizes is theirs)
        for who, sizes in (("Lycosa", ours), ("Scrapy", theirs))
        for name, value in (("claim of a URL", _claim), ("a page's 70 outlinks", _add))
        if sizes
    ]


def _claim(one: FrontierCosts) -> float:
    return one.claim


def _add(one: FrontierCosts) -> float:
    return one.add


def _alone(work: Callable[[int], FrontierCosts], known: int) -> FrontierCosts:
    """In a process of its own, whose memory nobody else has used."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, known).result()


def _ours(known: int) -> FrontierCosts:
    with TemporaryDirectory() as folder:
        began = time.perf_counter()
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            pool.submit(fill_database, Path(folder), known).result()
        report_progress(f"filled in {time.perf_counter() - began:.0f} s")
        return _measured(Path(folder), hosts_of(known), known)


def _measured(data_dir: Path, hosts: int, known: int) -> FrontierCosts:
    import_module("scrapy.crawler")  # every crawl has it in memory
    now = [EPOCH]
    limits = Limits(host_pages=known + PAGES * NEW_LINKS)
    sites = build_sites([SiteConfig((f"{host(0)}/",), scope="any")])
    with closing(Store(data_dir)) as store:
        crawl = Crawl(store, sites, limits, lambda: now[0], random.Random(SEED).random)
        began = time.perf_counter()
        crawl.open()
        load, loaded = time.perf_counter() - began, _memory("VmRSS")
        claim = _claims(crawl, now, CLAIMS_OF_HOST * hosts)
        add = _adds(crawl, store, hosts, known // hosts)
        return FrontierCosts(claim, add, _memory("VmHWM"), loaded, load)


def _claims(crawl: Crawl, now: list[float], number: int) -> float:
    """Microseconds a claim; each is answered at once, and stays to be committed."""
    seconds, given = 0.0, 0
    while given < number:
        began = time.process_time()
        claim = crawl.claim()
        seconds += time.process_time() - began
        if claim:
            given += 1
            crawl.record_response(Fetch(claim, 200, at=now[0]))
        else:
            now[0] += crawl.seconds_to_next() or 0.0
    return seconds / given * MICRO


def _adds(crawl: Crawl, store: Store, hosts: int, each: int) -> float:
    """Microseconds a page, its share of the commit included."""
    rng = random.Random(SEED)
    pages = [make_page(rng, number, hosts, each) for number in range(PAGES)]
    for met, _ in pages:  # a crawl that is under way has met these links before
        list(crawl.discovery.new_urls([met]))
    began = time.process_time()
    for start in range(0, PAGES, COMMIT):
        visits = [visit for _, visit in pages[start : start + COMMIT]]
        with store.engine.begin() as connection:
            found = crawl.permissions.without_removed(crawl.discovery.new_urls(visits))
            crawl.frontier.add(connection, found, EPOCH)
    return (time.process_time() - began) / PAGES * MICRO


def make_page(rng: random.Random, number: int, hosts: int, each: int) -> tuple[Visit, Visit]:
    """Makes a page with the links that were met before, and with all of its links; some go to other hosts."""
    here = number % hosts
    others = [rng.randrange(hosts) for _ in range(KNOWN + OLD)]
    known = [url(here, n) for n in range(NAVIGATION)]
    beyond = range(NAVIGATION, each)
    known += [url(here if n % 5 else others[n], beyond[number * 7 % len(beyond) - n]) for n in range(KNOWN)]
    old = [url(here if n else others[-1], rng.choice(beyond)) for n in range(OLD)]
    new = [url(here if n else others[-2], each + number * NEW_LINKS + n) for n in range(NEW_LINKS)]
    links = known + old + new
    rng.shuffle(links)
    return _visit(here, known), _visit(here, links)


def _visit(of: int, links: list[str]) -> Visit:
    claim = Claim(1, url(of, 0), host(of))
    reading = Reading("en", "text/html", Directives(), b"", links, b"")
    return Visit(Fetch(claim, 200), State.STORED, reading=reading)


def _theirs(known: int) -> FrontierCosts:
    hosts = hosts_of(known)
    rng = random.Random(SEED)
    each = known // hosts
    pages = [make_page(rng, number, hosts, each)[1] for number in range(PAGES)]
    links = [visit.reading.outlinks for visit in pages if visit.reading]
    urls = (url(one, n) for n in range(each) for one in range(hosts))
    claim, add = scrapy_frontier.measure(urls, links, CLAIMS_OF_HOST * hosts)
    return FrontierCosts(claim * MICRO, add * MICRO, _memory("VmHWM"))


def _memory(field: str) -> float:
    """Megabytes of this process: VmRSS now, VmHWM at most."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:")) / MEGABYTE
