"""Finds crawls that take more than twice as long as planned (requirement 272)."""

from collections.abc import Iterator

import sqlalchemy as sa

from engine.alerts.alert import AlertKind, Finding
from engine.frontier import Sites
from engine.monitor import span
from engine.plan import MIN_SAMPLE, FolderSizes, PlanInput, make_plan
from engine.store import count_all_urls, count_each_host, mean_url_length, measure_recent_visits

LEAST_LEFT = 3_600.0  # seconds that the crawl still takes; who waits for less needs no alarm
_ADVICE = (
    "'scrapy plan' shows which host takes longest; 'scrapy status --hosts' which one answers slowly. Hosts "
    "that fail are asked more slowly; quiet_hours and bytes_per_second in [limits] hold all of them back."
)


def judge_pace(connection: sa.Connection, sites: Sites, host_pages: int, now: float) -> Iterator[Finding]:
    """Judges the last visits by the pauses of their hosts. Reads all URLs."""
    recent = measure_recent_visits(connection)
    if recent.visits < MIN_SAMPLE:
        return
    counts = count_all_urls(connection, recent.since)
    known = PlanInput(counts, mean_url_length(connection), recent, FolderSizes())
    plan = make_plan(known, count_each_host(connection, recent.since), sites, now, host_pages)
    left = plan.seconds_at_recent_rate or 0.0
    message = (
        f"The crawl is much slower than planned: what is queued takes {span(left)} at the rate of the last "
        f"visits, in place of {span(plan.seconds_queued)}"
    )
    is_slow = plan.is_much_slower and left >= LEAST_LEFT
    yield Finding(AlertKind.SLOW, "crawl", is_slow, now, message, _ADVICE)
