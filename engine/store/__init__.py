"""The crawl database: the truth about hosts, URLs, pages and runs."""
