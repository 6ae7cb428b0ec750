"""Formats the request log."""

from typing import Any

from engine.model import Origin
from engine.report.wording import escape_text


def format_entry(entry: dict[str, Any]) -> str:
    """Formats a line of the log for people."""
    if entry["event"] == "skip":
        what = f"skipped by the rule {entry.get('rule', '')}"
    else:
        outcome = ": ".join(filter(None, (entry.get("outcome", ""), entry.get("reason", ""))))
        status = f"http {entry['status']}" if entry.get("status") else "no answer"
        what = f"{status}, {entry.get('bytes', 0):,} bytes, {entry.get('seconds', 0.0):.2f} s"
        what += f", {outcome}" if outcome else ""
    target = f", now {entry['target']}" if entry.get("target") else ""
    found = " ".join(filter(None, (entry.get("from"), entry.get("referrer"))))
    found = f" ({found})" if found and found != Origin.CRAWL else ""
    return escape_text(f"{entry['time']}  {entry['url']}  {what}{target}{found}")
