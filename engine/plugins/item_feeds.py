"""Writes own items to files, as Scrapy does: FEEDS, and -o of a spider that has items."""

from typing import Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedExporter

from engine.model import Visit


class ItemFeeds(FeedExporter):
    """Scrapy's extension; visits are no items of a feed: `scrapy export` writes pages."""

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Writes an own item."""
        if not isinstance(item, Visit):
            super().item_scraped(item, spider)
