"""`scrapy runspider`: refuses, and names the command that does its work."""

from engine.command import UnsupportedCommand


class Command(UnsupportedCommand):
    """Scrapy's own would ask a host without its queue."""

    example = "scrapy crawl web"
    instead = "'scrapy crawl web' runs the one spider"
