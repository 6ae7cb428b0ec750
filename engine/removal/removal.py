"""Removes pages from every answer and the database, undoes that, and gives a receipt of both."""

import time
from collections.abc import Iterator
from typing import Any

from engine.config import Config
from engine.database import purge_deleted, write_transaction
from engine.errors import EngineError
from engine.index.indexing import expunge_deleted, make_follower
from engine.monitor import count
from engine.report import escape_text, format_time
from engine.store import (
    Block,
    Store,
    Target,
    add_block,
    lift_block,
    load_blocklist,
    match_target,
    purge_urls,
    restore_urls,
)


def remove(store: Store, config: Config, target: Target, reason: str | None, contact: str) -> dict[str, Any]:
    """Blocks and purges in one transaction, then updates the index; returns the receipt.

    Raises EngineError when no reason is given, or for a wrong [ranking].
    """
    reason = (reason or "").strip()
    if not reason:
        raise EngineError('give a reason with --reason "TEXT"; it is kept with the removal')
    follower, now = make_follower(store, config), time.time()
    with write_transaction(store.engine) as connection:
        number = add_block(connection, target, reason, contact, now)
        pages = purge_urls(connection, match_target(target))
    if follower.count_waiting():
        follower.catch_up()
    expunge_deleted(store, config.index)
    purge_deleted(store.engine)
    return {**removal_object(Block(number, target, reason, contact, now, None)), "pages": pages}


def undo(store: Store, number: int) -> dict[str, Any]:
    """Lifts a removal; returns its receipt. Raises EngineError where it is not in force."""
    with write_transaction(store.engine) as connection:
        block = lift_block(connection, number, time.time())
        queued = restore_urls(connection, block.target, load_blocklist(connection))
    return {**removal_object(block), "queued": queued}


def removal_object(block: Block) -> dict[str, Any]:
    """Returns one removal as JSON has it; times are ISO 8601, UTC, null when it was not undone."""
    return {
        "number": block.number,
        "kind": block.target.extent,
        "target": block.target.text,
        "reason": block.reason,
        "contact": block.contact,
        "removed_at": format_time(block.at),
        "undone_at": format_time(block.undone_at) if block.undone_at else None,
    }


def receipt_sentence(receipt: dict[str, Any]) -> str:
    """Formats a receipt as one sentence, for a page and a log that have the time beside it."""
    words = (f"{receipt['kind']} {receipt['target']}", receipt["reason"], receipt["contact"])
    shown = ", ".join(escape_text(word) for word in words if word)
    return "; ".join((shown, *_count_lines(receipt), f"removal {receipt['number']}"))


def receipt_lines(said: dict[str, Any]) -> Iterator[str]:
    """Formats a receipt, or a list of them, for people."""
    for receipt in said.get("removals", [said]):
        undone = f"undone {receipt['undone_at']}" if receipt["undone_at"] else ""
        words = (receipt["kind"], receipt["target"], receipt["reason"], receipt["contact"], undone)
        shown = "  ".join(escape_text(word) for word in words if word)
        yield f"removal {receipt['number']}  {receipt['removed_at']}  {shown}"
    yield from _count_lines(said)
    if said.get("removals") == []:
        yield "nothing was removed so far"


def _count_lines(said: dict[str, Any]) -> Iterator[str]:
    if "pages" in said:
        yield f"{count(said['pages'], 'page')} left the index"
    if "queued" in said:
        yield f"{count(said['queued'], 'URL is', 'URLs are')} queued for the next crawl"
