"""Where a crawl starts, and what it makes of Scrapy's answers."""
