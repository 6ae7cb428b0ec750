"""Soft 404: a page that says "not found", although its status is 200, is not there (requirement 81)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class Soft404Pipeline(CrawlPipeline):
    """Finds the pages that their host shows in place of those that it has not."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit; gone, and without its reading, when it found nothing but an error page."""
        return self.walk.soft_404(visit)
