"""Crawls the operator's sites as they are read by Lycosa: the spider of `scrapy crawl web`."""

from spiders.lycosa import LycosaSpider


class WebSpider(LycosaSpider):
    """Has no hooks of its own."""

    name = "web"
