"""Filters log records of libraries that an operator need not read: the crawl tells the same itself."""

import logging

from engine.folder import OF_DATABASE


def is_no_certificate_error(record: logging.LogRecord) -> bool:
    """Drops bad certificates: each is its site's fault and counted as such, and no traceback of ours."""
    return not record.getMessage().startswith("while verifying certificate")


def is_no_database_error(record: logging.LogRecord) -> bool:
    """Drops errors of the crawl database: with a damaged one the crawl ends, and says so in a line."""
    return not (record.exc_info and isinstance(record.exc_info[1], OF_DATABASE))
