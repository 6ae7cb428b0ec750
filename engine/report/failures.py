"""Words when a URL that failed is tried again."""

from engine.model import State
from engine.report.wording import format_time
from engine.store import FailedUrl


def next_try(one: FailedUrl) -> str:
    """Says when a URL is tried again."""
    if one.state is State.QUEUED:
        return "as soon as its host may be visited"
    if one.is_due or one.due_at is None:
        return "in the next crawl"
    return f"in the first crawl after {format_time(one.due_at)}"
