"""Defines, opens, migrates and verifies the crawl database."""

from engine.database.check import FILE, find_database_damages
from engine.database.opening import open_database, open_empty_database, truncate_wal, write_transaction
from engine.database.reopening import CrawlDatabase
from engine.database.tables import (
    NEAR,
    SCHEMA_VERSION,
    WAITING,
    blocks,
    changes,
    hosts,
    metadata,
    pages,
    quarantine,
    roots,
    runs,
    submissions,
    suspects,
    urls,
)

__all__ = [
    "FILE",
    "NEAR",
    "SCHEMA_VERSION",
    "WAITING",
    "CrawlDatabase",
    "blocks",
    "changes",
    "find_database_damages",
    "hosts",
    "metadata",
    "open_database",
    "open_empty_database",
    "pages",
    "quarantine",
    "roots",
    "runs",
    "submissions",
    "suspects",
    "truncate_wal",
    "urls",
    "write_transaction",
]
