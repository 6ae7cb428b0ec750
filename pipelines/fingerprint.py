"""Fingerprint: a page whose text we have under another URL becomes an alias (requirement 55)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class FingerprintPipeline(CrawlPipeline):
    """Finds the URL that stands for a copy."""

    def process_item(self, visit: Visit) -> Visit:
        """The visit; without its reading once it is an alias of its own site, whose links are crawled."""
        return self.walk.fingerprint(visit)
