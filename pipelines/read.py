"""Read and META gate: bytes become a reading, once, and its owner's wish counts before anything is kept."""

from dataclasses import replace

from engine.config import Config, ReadingLimits
from engine.crawl import weigh
from engine.errors import EngineError, PageError
from engine.model import Purpose, State, Visit
from engine.workers import Readers
from pipelines import Station


class ReadPipeline(Station):
    """Gives a visit its reading, or the reason why there is none."""

    def open_spider(self) -> None:
        """The readers start with the first page."""
        config: Config = self._crawler.spider.config  # type: ignore[union-attr]
        self._readers = Readers(
            lambda: self.crawl.discovery.sites.aliases,
            config.unwanted,
            config.duplicates,
            ReadingLimits(config.types, config.limits.page_seconds),
        )

    def close_spider(self) -> None:
        """The readers end with the crawl."""
        self._readers.close()

    async def process_item(self, visit: Visit) -> Visit:
        """The visit with its reading; without one where nobody could read it, and the crawl ends."""
        if visit.state is not State.STORED or visit.unchanged:
            return _emptied(visit)
        try:
            return await self._read(visit)
        except EngineError as error:  # ours: this visit is not committed
            self.crawl.broken = self.crawl.broken or error
            return replace(visit, state=State.SKIPPED, reason="not read")

    async def _read(self, visit: Visit) -> Visit:
        """With its reading; of a noindex page only the links count, the store keeps no word."""
        fetch = visit.fetch
        if fetch.claim.kind is Purpose.SITEMAP:
            sitemap = await self._readers.sitemap(fetch.body, fetch.claim.url, unpacked=fetch.unpacked)
            return replace(_emptied(visit), sitemap=sitemap)
        try:
            reading = await self._readers.read(
                fetch.body,
                fetch.claim.url,
                fetch.header("content-type"),
                fetch.headers,
                unpacked=fetch.unpacked,
            )
        except PageError as error:
            return replace(_emptied(visit), state=State.SKIPPED, reason=error.kind)
        indexable = self.crawl.owners.indexable(fetch.claim.host)
        weighed = self.crawl.watch.quarantine.weighed(weigh(_emptied(visit), reading, indexable=indexable))
        return self.crawl.standing.preferred(weighed)


def _emptied(visit: Visit) -> Visit:
    """The visit without its body, which has been read: those that wait for a commit need not keep it."""
    return replace(visit, fetch=replace(visit.fetch, body=b"", unpacked=visit.fetch.size))
