"""Pages of every kind, and a snapshot of them in a folder and one in a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from engine.index.query.operators import parse_site
from engine.index.query.parser import match_keys
from engine.index.searching.labels import CurrentLabels
from engine.index.searching.snapshot import OpenIndex
from engine.model.page import Flag, Link, Page, Section
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.source import corpus, page

LANGUAGES = ("en", "pl", "", "de")
TYPES = ("text/html", "application/xhtml+xml", "application/pdf", "image/png")
DAY = 86_400
FETCHED = 1_700_000_000.0  # by tests.engine.index.source.Memory
COUNT = 320
MANUAL = "https://manual.example/start"


def _vary(number: int, one: Page) -> Page:
    return replace(
        one,
        url=one.url.replace("http://site1.", "https://site2.").replace("site3.", "sub.site4."),
        language=LANGUAGES[number * number % 4],
        media_type=TYPES[number % 7 % 4],
        modified=FETCHED - DAY * (number**3 % 500) if number % 5 else None,
        flag=Flag.PARKED if number % 23 == 0 else None,
    )


SAID = [
    ("git-rebase", "git-rebase todo list", "en"),
    ("Rebasing", "Rebase the todo with git.", "en"),
    ("Élan", "L'élan d'ambre, Bäume und Übermut", "de"),
    ("Über Bäume", "Ein Baum steht im Wald; viele Bäume sind der Wald.", "de"),
    ("Event loop", "What is the event loop? It runs the tasks of asyncio.Queue.", "en"),
    ("Amber Guide", "The guide of amber: " + "amber basil. " * 30, "en"),
    ("", "a page without a title says amber once", "en"),
]
PAGES: Sequence[Page] = [
    *(_vary(number, one) for number, one in enumerate(corpus(COUNT))),
    *(
        page(f"http://said{at % 3}.example/{at}", text, title, language=language)
        for at, (title, text, language) in enumerate(SAID)
    ),
    Page(
        MANUAL,
        title="Manual of Lotus",
        language="en",
        sections=(
            Section("", "", "The manual tells how a lotus is grown."),
            *(
                Section(name, name.lower(), f"{name} of a lotus. " * 9)
                for name in ("Roots", "Leaves", "Pond")
            ),
        ),
        links=[Link("http://said0.example/0", "rebase"), Link("https://manual.example/next", "next")],
    ),
]
COPIES: Mapping[str, str] = {f"http://copy{at}.example/": MANUAL for at in range(3)}


LABELS = CurrentLabels(
    {
        name: tuple(match_keys(keys) for site in sites for keys in parse_site(site))
        for name, sites in {
            "Manuals": ("manual.example", "said0.example", "said1.example/4"),
            "Second": ("site2.example",),
            "None": ("absent.example",),
        }.items()
    }
)


class Two:
    """The same pages in a folder and in a cluster."""

    def __init__(self, folder: OpenIndex, cluster: OpenIndex) -> None:
        self.folder, self.cluster = folder, cluster

    def __iter__(self) -> Iterator[OpenIndex]:
        return iter((self.folder, self.cluster))


@contextmanager
def open_two(data_dir: Path, node: str, index: str, shards: int) -> Iterator[Two]:
    """Indexes the pages in both."""
    indexed = Indexed(data_dir, PAGES, COPIES)
    indexed.write(node, index, shards)
    with closing(indexed.snapshot), indexed.open_cluster(node, index) as cluster:
        yield Two(indexed.snapshot, cluster)
