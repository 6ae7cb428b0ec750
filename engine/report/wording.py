"""Words values for people: states, times, secrets, texts of strangers."""

from collections.abc import Sequence
from datetime import UTC, datetime

from engine.model import Message, State
from engine.store import NEVER

MAX_VISIBLE = 300  # characters of one line of a stranger's; the rest would only push the answer away

MEANING = {
    State.QUEUED: Message("it waits to be visited"),
    State.STORED: Message("its page is stored"),
    State.NOINDEX: Message("its owner asks not to index it"),
    State.ALIAS: Message("another URL represents it"),
    State.DISALLOWED: Message("its owner does not allow Lycosa to fetch it"),
    State.GONE: Message("its host reports that it does not exist"),
    State.FAILED: Message("no usable response came"),
    State.SKIPPED: Message("a rule of the crawl excludes it"),
}


def escape_text(text: str) -> str:
    """Escapes a stranger's text for a terminal and a page: one line, cut, unprintable characters escaped."""
    shown = text if len(text) <= MAX_VISIBLE else text[:MAX_VISIBLE] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in shown
    )


def format_time(at: float) -> str:
    """Formats a time for people and for JSON: ISO 8601, UTC; dates of sitemaps are clamped to what
    datetime can hold.
    """
    return datetime.fromtimestamp(min(max(at, 0.0), NEVER), UTC).isoformat(timespec="seconds")


def format_bytes(size: float) -> str:
    """Formats a number of bytes: 0 B, 512 B, 4.1 kB, 20 GB, by powers of 1,000."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.0f} {unit}" if size >= 9.95 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def describe_secrets(kinds: Sequence[str], line: int) -> str:
    """Describes which secrets are on a page, and where the first one is."""
    return f"{', '.join(kinds)}: {f'the first in line {line} of its text' if line else 'outside of its text'}"
