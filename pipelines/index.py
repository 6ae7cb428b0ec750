"""Runs the follower: a process of its own indexes the store during the crawl, and ends when it has caught up.

Its life hangs on a pipe: when the crawl ends, by whatever means, the pipe
closes, and the follower indexes what was committed and goes.
"""

import asyncio
import logging
import subprocess
from contextlib import suppress

from engine import generations
from engine.errors import EngineError
from engine.folder import OF_DATABASE
from engine.model import Visit
from engine.ranking import dump_ranking
from pipelines import CrawlPipeline

logger = logging.getLogger("lycosa")
LOOK_SECONDS = 0.25  # between looks for how far it is
MAX_STARTS = 4  # of followers in one crawl: one that is killed as often has something that kills it


class IndexPipeline(CrawlPipeline):
    """Has what was stored indexed, and waits for it at the end."""

    _follower: subprocess.Popen[bytes] | None = None
    _starts = 0

    def open_spider(self) -> None:
        """Starts the follower: it loads its loops while the first pages are awaited."""
        with suppress(OSError):  # no room for a process now: the first visit tries again
            self._follower = self._start_follower()

    def process_item(self, visit: Visit) -> Visit:
        """Starts the follower where none runs: it was killed, as for memory."""
        if self._follower is None or (self._was_killed(self._follower) and self._starts < MAX_STARTS):
            self._follower = self._start_follower()
        return visit

    async def close_spider(self) -> None:
        """Waits until every page that was stored is searchable, those of earlier crawls as well."""
        try:
            self.crawl.retire()
        except Exception as error:
            self.spider.fail(error)
        code = await self._catch_up(self._follower or self._start_follower())
        while code < 0 and self._starts < MAX_STARTS:
            code = await self._catch_up(self._start_follower())
        if code and not self.crawl.error:
            self.crawl.error = EngineError(
                "the crawled pages are stored, but not all of them are indexed; fix the error above, "
                "then run 'scrapy rebuild', or crawl again"
            )

    def _start_follower(self) -> subprocess.Popen[bytes]:
        if self._starts:
            logger.warning("the process that indexes was killed: it is started again")
        follower = generations.start_follower(self.spider.config, dump_ranking(self.spider.ranking))
        self._starts += 1
        return follower

    @staticmethod
    def _was_killed(follower: subprocess.Popen[bytes]) -> bool:
        return (follower.poll() or 0) < 0  # a signal's number

    async def _catch_up(self, follower: subprocess.Popen[bytes]) -> int:
        """Waits for the end of a follower; returns its exit code."""
        assert follower.stdin
        follower.stdin.close()
        store, index = self.crawl.store, self.spider.config.index
        ended = asyncio.create_task(asyncio.to_thread(follower.wait))
        while not (await asyncio.wait([ended], timeout=LOOK_SECONDS))[0]:
            with suppress(OSError, EngineError, *OF_DATABASE):  # the follower says so
                last = store.last_change()
                self.crawl.index_backlog = await asyncio.to_thread(generations.count_behind, index, last)
        return ended.result()
