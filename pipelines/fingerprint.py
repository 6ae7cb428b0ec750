"""Compares fingerprints: a page whose text another URL already has becomes an alias (requirement 55)."""

from engine.model import Visit
from pipelines import CrawlPipeline


class FingerprintPipeline(CrawlPipeline):
    """Finds the URL that represents a copy."""

    def process_item(self, visit: Visit) -> Visit:
        """Makes a copy an alias; one of its own site loses its reading, but its links are crawled."""
        return self.walk.fingerprint(visit)
