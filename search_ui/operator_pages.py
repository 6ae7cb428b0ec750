"""What the operator's own programs ask: whether we live, whether there is an index, what was counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from engine.config import Network
from engine.errors import EngineError, IndexMissing
from engine.message import Message
from search_ui.asked import Searcher
from search_ui.clients import client_of
from search_ui.metrics import MEDIA_TYPE, Counts, gauges

_DAMAGED = "Files of the index that are damaged, so that what they hold is not found."


@dataclass(frozen=True, slots=True)
class OperatorPages:
    """`now` tells seconds since 1970."""

    searcher: Searcher
    counts: Counts
    proxies: Sequence[Network]
    now: Callable[[], float]

    async def health(self, _: Request) -> Response:
        """Whether this process answers at all; needs no thread, so waits for none."""
        return PlainTextResponse("ok")

    async def ready(self, _: Request) -> Response:
        """Whether it can search; HTTPException 503 while it cannot."""
        try:
            await run_in_threadpool(self.searcher.documents)
            damaged = await run_in_threadpool(self.searcher.damaged)
        except EngineError as error:
            raise HTTPException(503, Message("There is no index that can be searched.")) from error
        return PlainTextResponse("a part of the index is damaged" if damaged else "ok")

    async def metrics(self, request: Request) -> Response:
        """The counts; HTTPException 403 for everybody who is not on this machine, as there is no login."""
        if not client_of(request.scope, self.proxies).is_local:
            raise HTTPException(403, Message("What is counted here is told on this machine alone."))
        of_index = await run_in_threadpool(self._of_index)
        text = "\n".join([*self.counts.lines(), *gauges(of_index), ""])
        return Response(text, media_type=MEDIA_TYPE)

    def _of_index(self) -> dict[str, tuple[str, float]]:
        """Nothing while there is no index."""
        try:
            documents, caught_up_at = self.searcher.documents(), self.searcher.caught_up_at()
            damaged = len(self.searcher.damaged())
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
