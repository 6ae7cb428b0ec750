"""When a feed is asked for again."""

import time
from pathlib import Path

import pytest

from engine.explain import explain_url
from engine.report import format_time
from engine.store import Store
from tests.crawling import HOST, Clock, Web
from tests.simulation.feeds import FEED, HOUR, MINUTE, crawl_all, rss

TTL = "<ttl>60</ttl>"
LOOKS = [
    (True, MINUTE, 5 * MINUTE, ": feeds of your own are asked for every five minutes", "an own one"),
    (True, 6 * MINUTE, None, "", "an own one that has had its rest, whatever it says itself"),
    (False, 6 * MINUTE, HOUR, ", when its owner expects a change", "another's, as it says"),
    (False, 2 * HOUR, None, "", "another's that has had its rest"),
]


@pytest.mark.parametrize(("own", "ago", "after", "why", "which"), LOOKS, ids=[row[4] for row in LOOKS])
def test_when_it_is_asked_for_again(
    tmp_path: Path, own: bool, ago: float, after: float | None, why: str, which: str
) -> None:
    """As the crawl does: tests/simulation/test_feeds.py."""
    clock = Clock(time.time() - ago)
    web = Web({f"{HOST}/": []}, sitemaps={FEED: rss(about=TTL)}, seconds=0.0)
    crawl_all(tmp_path, web, clock, feeds=(FEED,), own=own)
    [asked_at] = [at for at, url in web.log if url == FEED]
    store = Store(tmp_path)
    says = explain_url(store.engine, tmp_path, FEED, "", is_own=own).next_visit
    store.close()
    if after is None:
        assert says == "at the next look at feeds: it is due", which
    else:
        assert says == f"not before {format_time(asked_at + after)}{why}", which
