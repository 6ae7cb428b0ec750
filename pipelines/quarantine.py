"""Quarantines pages with secrets: no word of them is kept (requirement 284)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class QuarantinePipeline(CrawlPipeline):
    """Finds the pages that only the operator may release."""

    def process_item(self, visit: Visit) -> Visit:
        """Skips a visit whose page has secrets; its links are skipped, too."""
        return self.walk.quarantine(visit)
