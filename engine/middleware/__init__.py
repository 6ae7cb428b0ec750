"""Between the crawl and Scrapy: thin coats, each over a plain function or value."""
