"""Resolves rel=canonical: a page is kept under the URL that its owner prefers (RFC 6596)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class CanonicalPipeline(CrawlPipeline):
    """Finds the URL that an owner has chosen."""

    def process_item(self, visit: Visit) -> Visit:
        """Makes the visit an alias when its page names another URL of its site."""
        return self.walk.canonical(visit)
