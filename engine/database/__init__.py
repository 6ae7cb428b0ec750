"""Defines, opens, migrates and verifies the crawl database."""

from engine.database.bulk import BulkStatement, Given
from engine.database.change_log import log_change
from engine.database.check import FILE, find_database_damages
from engine.database.clock import open_clock
from engine.database.copying import copy_database, digest_tables, is_empty
from engine.database.dialect import greatest, insert_new, is_among, least, upsert, upsert_rows
from engine.database.identity import read_identity, read_uuid, write_uuid
from engine.database.opening import (
    SCAN_KIB,
    connect_to_read,
    open_database,
    open_empty_database,
    purge_deleted,
    write_transaction,
)
from engine.database.reopening import CrawlDatabase
from engine.database.run_locks import open_run_locks
from engine.database.size import count_database_bytes
from engine.database.tables import (
    NEAR,
    QUEUED,
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
    "QUEUED",
    "SCAN_KIB",
    "SCHEMA_VERSION",
    "WAITING",
    "BulkStatement",
    "CrawlDatabase",
    "Given",
    "blocks",
    "changes",
    "connect_to_read",
    "copy_database",
    "count_database_bytes",
    "digest_tables",
    "find_database_damages",
    "greatest",
    "hosts",
    "insert_new",
    "is_among",
    "is_empty",
    "least",
    "log_change",
    "metadata",
    "open_clock",
    "open_database",
    "open_empty_database",
    "open_run_locks",
    "pages",
    "purge_deleted",
    "quarantine",
    "read_identity",
    "read_uuid",
    "roots",
    "runs",
    "submissions",
    "suspects",
    "upsert",
    "upsert_rows",
    "urls",
    "write_transaction",
    "write_uuid",
]
