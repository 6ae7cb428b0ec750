"""The commands that watch over crawls; Scrapy finds them here, too."""
