"""Store: the page, its outlinks and its URL's state go to the next commit."""

from engine.page import Visit
from pipelines import Station


class Store(Station):
    """Hands the finished visit to the crawl."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit as it was."""
        self.crawl.finish(visit)
        return visit
