"""Holds the services behind the operator's pages and metrics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.config import Config
from engine.metrics import Metric


@dataclass(frozen=True, slots=True)
class OperatorServices:
    """`measure_crawl` measures the crawl at a time in seconds since 1970; without `config` no pages."""

    measure_crawl: Callable[[float], Sequence[Metric]] = lambda now: ()
    config: Config | None = None
