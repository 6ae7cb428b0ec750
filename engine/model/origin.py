"""Names where a URL came from."""

from enum import StrEnum


class Origin(StrEnum):
    """Where a URL came from; the request log has the word."""

    SEED = "seed"
    LINK = "link"  # of a page, or a redirect
    SITEMAP = "sitemap"
    FEED = "feed"
    SUBMISSION = "submission"  # queued by hand: by a reader, or by the operator
    RENDERING = "rendering"  # a script of the page that is the referrer
    CRAWL = "crawl"  # it asks by itself: for robots.txt, its sitemaps, a page that cannot exist
