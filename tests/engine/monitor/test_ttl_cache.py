"""One look for all who ask within a second."""

import pytest

from engine.monitor.ttl_cache import LOOK_SECONDS, TtlCache


def test_one_look_serves_for_a_second() -> None:
    now, looks = [100.0], iter([None, "a crawl", "its end"])
    glance = TtlCache(lambda: next(looks), lambda: now[0])
    seen = []
    for seconds in (0.0, LOOK_SECONDS / 2, LOOK_SECONDS / 2, LOOK_SECONDS * 0.9, LOOK_SECONDS):
        now[0] += seconds
        seen.append(glance())
    assert seen == [None, None, "a crawl", "a crawl", "its end"], "None is something seen, too"


def test_what_cannot_be_seen_is_looked_at_again() -> None:
    looks = iter([OSError("no"), "yes"])

    def look() -> str:
        if isinstance(found := next(looks), OSError):
            raise found
        return str(found)

    glance = TtlCache(look, lambda: 0.0)
    with pytest.raises(OSError, match="no"):
        glance()
    assert glance() == "yes"
