"""Detects soft 404s: a page that says "not found" with status 200 does not exist (requirement 81)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class Soft404Pipeline(CrawlPipeline):
    """Finds pages that their host shows in place of missing ones."""

    def process_item(self, visit: Visit) -> Visit:
        """Marks the visit as gone, and drops its reading, when it found only an error page."""
        return self.walk.soft_404(visit)
