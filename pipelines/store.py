"""Stores visits: the page, its outlinks and its URL's state go to the next commit."""

import asyncio

from engine.crawl import split_sitemap
from engine.model import Visit
from pipelines import CrawlPipeline


class StorePipeline(CrawlPipeline):
    """Hands the finished visit to the crawl."""

    async def process_item(self, visit: Visit) -> Visit:
        """Returns the visit as it was. Between the pieces of a long sitemap others have their turn."""
        *first, last = split_sitemap(visit)
        for piece in first:
            self.crawl.queue_entries(piece)
            await asyncio.sleep(0)
        if self.crawl.run.responses:
            self.crawl.run.responses.keep(last)
        self.crawl.finish(last)
        return visit
