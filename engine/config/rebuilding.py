"""[rebuild] of crawl.toml: what a new index may be worse in than the old one, and still take its place."""

from dataclasses import dataclass

from engine.config.table import Table

# Percent of the documents that may be missing though nobody took them out. There should be none, as what
# owners and the operator take out is not counted; but after `fresh=1` nothing links to some pages any more.
MAX_LOST = 5
MAX_HOST_LOST = 20  # percent of one host, likewise: it may be small, or have been rearranged
MAX_NDCG_LOST = 5  # hundredths of nDCG@10: of twenty queries one that finds nothing any more
MAX_SLOWER = 100  # percent more time for a query: less than that may be the machine


@dataclass(frozen=True, slots=True)
class Rebuild:
    """How much worse a new index may be; checked as it is read."""

    lost: int = MAX_LOST
    host_lost: int = MAX_HOST_LOST
    ndcg_lost: int = MAX_NDCG_LOST
    slower: int = MAX_SLOWER


def rebuilding(table: Table) -> Rebuild:
    """What the table [rebuild] sets. Raises EngineError for what is no whole number."""
    table.only("lost", "host_lost", "ndcg_lost", "slower")
    return Rebuild(
        lost=table.number("lost", MAX_LOST),
        host_lost=table.number("host_lost", MAX_HOST_LOST),
        ndcg_lost=table.number("ndcg_lost", MAX_NDCG_LOST),
        slower=table.number("slower", MAX_SLOWER),
    )
