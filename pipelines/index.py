"""Runs the follower: a process of its own indexes the store during the crawl, and ends when it has caught up.

Its life hangs on a pipe: when the crawl ends, by whatever means, the pipe
closes, and the follower indexes what was committed and goes.
"""

import asyncio
import subprocess
import sys
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from engine.config import Config
from engine.errors import EngineError
from engine.index.indexing import Follower
from engine.linkgraph import VotePivots
from pipelines import CrawlPipeline

LOOK_SECONDS = 0.25  # between looks for how far it is


class IndexPipeline(CrawlPipeline):
    """Starts the follower with the spider, and waits for it at the end."""

    def open_spider(self) -> None:
        """Starts the follower.

        A process group of its own, because a Ctrl-C is not for it; but no session, because Linux
        shares the processor between sessions first, and its niceness would count for nothing.
        """
        config: Config = self.spider.config
        pivots: VotePivots = self.spider.pivots
        self._folder = config.data_dir
        command = [
            sys.executable,
            "-m",
            "engine.index.indexing",
            str(self._folder),
            *map(str, (*pivots, config.limits.free_bytes)),
        ]
        self._follower = subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)  # noqa: S603

    async def close_spider(self) -> None:
        """Waits until every page that was stored is searchable."""
        try:
            self.crawl.retire()
        except Exception as error:
            self.spider.fail(error)
        assert self._follower.stdin
        self._follower.stdin.close()
        behind = Follower(self.crawl.store, self._folder)
        ended = asyncio.create_task(asyncio.to_thread(self._follower.wait))
        while not (await asyncio.wait([ended], timeout=LOOK_SECONDS))[0]:
            with suppress(DBAPIError):  # the follower says so
                self.crawl.index_backlog = behind.count_waiting()
        if self._follower.returncode and not self.crawl.error:
            self.crawl.error = EngineError(
                "the crawled pages are stored, but not all of them are indexed; fix the error above, "
                "then run 'scrapy rebuild'"
            )
