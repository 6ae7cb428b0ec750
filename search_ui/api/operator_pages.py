"""Answers the operator's programs: /health, /health/ready, /metrics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from engine.config import Network
from engine.errors import EngineError, IndexMissing
from engine.metrics import Metric
from engine.model import Message
from search_ui.condition import PART, WELL, HealthMonitor
from search_ui.rendering import index_error
from search_ui.search_request import Searcher
from search_ui.server import (
    MEDIA_TYPE,
    RequestMetrics,
    format_gauges,
    format_metrics,
    identify_client,
)

_DAMAGED = "Files of the index that are damaged, so that what they hold is not found."
_UNREADABLE = "1 while the crawl database cannot be read, 0 while it can."


@dataclass(frozen=True, slots=True)
class OperatorEndpoints:
    """The endpoints for the operator's monitoring; `now` returns seconds since 1970."""

    searcher: Searcher
    condition: HealthMonitor
    counts: RequestMetrics
    proxies: Sequence[Network]
    now: Callable[[], float]
    measure_crawl: Callable[[float], Sequence[Metric]]

    async def health(self, _: Request) -> Response:
        """Answers that this process is alive, and what is damaged; always 200: a restart repairs nothing."""
        return PlainTextResponse(await self.condition.report())

    async def ready(self, _: Request) -> Response:
        """Answers whether it can search. Raises HTTPException 503 while it cannot."""
        try:
            await run_in_threadpool(self.searcher.count_documents)
            damaged = await run_in_threadpool(self.searcher.list_damage)
        except IndexMissing as error:
            raise HTTPException(503, Message("There is no searchable index.")) from error
        except EngineError as error:
            raise index_error(error) from error
        return PlainTextResponse(PART if damaged else WELL)

    async def metrics(self, request: Request) -> Response:
        """Answers the metrics. Raises HTTPException 403 for other machines, as there is no login."""
        if not identify_client(request.scope, self.proxies).is_local:
            raise HTTPException(403, Message("Metrics are available only on this machine."))
        told = await run_in_threadpool(lambda: self._of_index() | self._of_crawl())
        crawl = await run_in_threadpool(self.measure_crawl, self.now())
        text = "\n".join([*self.counts.format_lines(), *format_gauges(told), *format_metrics(crawl), ""])
        return Response(text, media_type=MEDIA_TYPE)

    def _of_index(self) -> dict[str, tuple[str, float]]:
        """Measures the index; {} while there is none."""
        try:
            documents, caught_up_at = self.searcher.count_documents(), self.searcher.indexed_until()
            damaged = len(self.searcher.list_damage())
        except IndexMissing:
            return {}
        except EngineError:
            return {"lycosa_index_damaged_files": (_DAMAGED, 1)}
        age = max(0.0, self.now() - caught_up_at)
        return {
            "lycosa_index_documents": ("Documents that can be found.", documents),
            "lycosa_index_age_seconds": ("Seconds since the index last took up what was crawled.", age),
            "lycosa_index_damaged_files": (_DAMAGED, damaged),
        }

    def _of_crawl(self) -> dict[str, tuple[str, float]]:
        unreadable = not self.condition.is_crawl_readable()
        return {"lycosa_crawl_database_unreadable": (_UNREADABLE, int(unreadable))}
