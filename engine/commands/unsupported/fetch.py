"""`scrapy fetch`: refuses, and names the command that does its work."""

from engine.command import UnsupportedCommand


class Command(UnsupportedCommand):
    """Scrapy's own would ask a host without its queue."""

    example = "scrapy submit https://www.example.org/"
    instead = "'scrapy submit URL' queues a page, 'scrapy robots URL' tells whether it may be fetched"
