"""Reads [rebuild] of crawl.toml: how much worse than the old index a new one may be and still replace it."""

from dataclasses import dataclass

from engine.config.table import Table

# Percent of the documents that may be missing though nobody took them out. There should be none, as what
# owners and the operator take out is not counted; but after `fresh=1` nothing links to some pages any more.
MAX_LOST_PERCENT = 5
MAX_HOST_LOST_PERCENT = 20  # percent of one host, likewise: it may be small, or have been rearranged
MAX_NDCG_LOSS = 5  # hundredths of nDCG@10: of twenty queries one that finds nothing any more
MAX_SLOWDOWN_PERCENT = 100  # percent more time for a query: less than that may be the machine


@dataclass(frozen=True, slots=True)
class RebuildLimits:
    """How much worse a new index may be; checked as it is read."""

    max_lost_percent: int = MAX_LOST_PERCENT
    max_host_lost_percent: int = MAX_HOST_LOST_PERCENT
    max_ndcg_loss: int = MAX_NDCG_LOSS
    max_slowdown_percent: int = MAX_SLOWDOWN_PERCENT


def read_rebuild_limits(table: Table) -> RebuildLimits:
    """Reads the table [rebuild]. Raises EngineError for a value that is no whole number."""
    table.check_keys("max_lost_percent", "max_host_lost_percent", "max_ndcg_loss", "max_slowdown_percent")
    return RebuildLimits(
        max_lost_percent=table.number("max_lost_percent", MAX_LOST_PERCENT),
        max_host_lost_percent=table.number("max_host_lost_percent", MAX_HOST_LOST_PERCENT),
        max_ndcg_loss=table.number("max_ndcg_loss", MAX_NDCG_LOSS),
        max_slowdown_percent=table.number("max_slowdown_percent", MAX_SLOWDOWN_PERCENT),
    )
