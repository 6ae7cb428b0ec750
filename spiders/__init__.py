"""Defines Scrapy's spiders: where a crawl starts, and what it makes of responses."""
