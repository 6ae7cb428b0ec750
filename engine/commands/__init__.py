"""One file a subcommand of `scrapy`."""
