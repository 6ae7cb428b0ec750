"""`scrapy runspider`: refuses, and names the command that does its work."""

from engine.command import UnsupportedCommand


class Command(UnsupportedCommand):
    """Scrapy's own would run a spider that no project names, with a queue of its own."""

    example = "scrapy crawl web"
    why = "a spider shares its data folder with all others"
    instead = "put the file into spiders/, and run it by 'scrapy crawl NAME' (docs/extending.md)"
