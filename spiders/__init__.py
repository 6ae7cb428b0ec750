"""Defines the Scrapy spider: seeds in, visits out."""
