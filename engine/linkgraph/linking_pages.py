"""Finds pages that link to a URL, and the words that they use for it."""

from array import array
from collections.abc import Generator
from contextlib import closing
from typing import NamedTuple

from engine.linkgraph.location import GraphLocation
from engine.linkgraph.opening import open_sources
from engine.linkgraph.sources import LinkSources

MAX_ALIASES = 10  # of one URL, whose links count as its own
MAX_LINKING = 10  # pages named that link to one URL
MAX_LOOKED_AT = 500_000  # pages whose links are gone through; some 3 seconds


class Inlink(NamedTuple):
    """A page that links to the URL in question, and the first words that it uses for it."""

    url: str
    anchor: str


def find_linking_pages(location: GraphLocation, url: str) -> tuple[Inlink, ...]:
    """Finds pages whose links to a URL count, MAX_LINKING at most."""
    found: dict[str, Inlink] = {}  # a page may use several names of it
    with closing(open_sources(location)) as sources:
        for target in sources.find_targets(url, MAX_ALIASES):
            with closing(_find_linking(sources, target)) as links:
                for link in links:
                    found.setdefault(link.url, link)
                    if len(found) == MAX_LINKING:
                        return tuple(found.values())
    return tuple(found.values())


def _find_linking(sources: LinkSources, target: int) -> Generator[Inlink, None, None]:
    for source, edges in sources.read_linking(target, MAX_LOOKED_AT):
        numbers = iter(array("q", edges))
        anchors = [anchor for number, anchor in zip(numbers, numbers, strict=True) if number == target]
        if anchors:
            yield Inlink(source, sources.load_name(min(anchors)))
