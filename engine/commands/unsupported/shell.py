"""`scrapy shell`: refuses, and names the command that does its work."""

from engine.command import UnsupportedCommand


class Command(UnsupportedCommand):
    """Scrapy's own would ask a host without its queue."""

    example = "scrapy explain https://www.example.org/"
    instead = "'scrapy explain URL' shows what came of a page, 'scrapy search WORDS' asks the index"
