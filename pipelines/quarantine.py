"""Quarantine: of a page on which secrets stand no word is kept (requirement 284)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class QuarantinePipeline(CrawlPipeline):
    """Finds the pages that only the operator may release."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit; skipped, with its links, when secrets stand on its page."""
        return self.walk.quarantine(visit)
