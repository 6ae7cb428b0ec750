"""Defines the Scrapy spiders: seeds in, visits out. Own ones derive from LycosaSpider."""

from spiders.lycosa import LycosaSpider

__all__ = ["LycosaSpider"]
