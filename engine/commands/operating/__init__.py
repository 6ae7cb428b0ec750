"""The commands for the operator's pages; Scrapy finds them here, too."""
