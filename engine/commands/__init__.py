"""Holds the subcommands of `scrapy`, one file each."""
