"""The trace of one URL from seed to hit."""

import pytest

from benchmarks import crossing
from benchmarks.sites import ROOT


@pytest.mark.long  # three processes start under a tracer: half a minute
def test_every_station_is_passed() -> None:
    files = {path for _, path, _ in crossing.trace(ROOT)}
    for station in (
        "spiders/lycosa.py",  # the crawl's own process
        "engine/text/html/sections.py",  # a confined reader, which has no standard error of its own
        "engine/index/indexing/writer.py",  # the follower
        "engine/search/search.py",  # a thread of the search page
    ):
        assert station in files
