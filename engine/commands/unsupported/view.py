"""`scrapy view`: refuses, and names the command that does its work."""

from engine.command import UnsupportedCommand


class Command(UnsupportedCommand):
    """Scrapy's own would open a stranger's page in a browser as a file of this machine, scripts and all."""

    example = "scrapy fetch https://www.example.org/"
    why = "a browser would run a stranger's scripts as those of a file of yours"
    instead = "'scrapy fetch URL' prints a page as the crawler gets it, 'scrapy parse URL' as it is read"
