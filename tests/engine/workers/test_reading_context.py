"""What a feed says of a page beside what the page says itself."""

import pytest

from engine.packing import unpack
from engine.workers.body import read_body
from engine.workers.reading_context import ReadingContext

URL, FEED = "http://h.example/a", 1_700_000_000.0
WRITTEN = "Sat, 02 May 2026 10:00:00 GMT"
AT = 1_777_716_000.0  # the same
APPEARED = '<meta property="article:published_time" content="2020-01-01T00:00:00Z">'
CHANGED = '<meta property="article:modified_time" content="2021-01-01T00:00:00Z">'
DATES = [
    ("", "", FEED, None, "it says nothing"),
    ("", WRITTEN, FEED, None, "its file was written when the site was built"),
    (APPEARED, WRITTEN, 1_577_836_800.0, AT, "it knows better"),
    (CHANGED, WRITTEN, FEED, 1_609_459_200.0, "it has been changed since, as it says"),
    ("", "soon", FEED, None, "a header that is no date"),
]


@pytest.mark.parametrize(
    ("head", "header", "published", "modified", "why"), DATES, ids=[row[-1] for row in DATES]
)
def test_the_date_of_a_feed(
    head: str, header: str, published: float, modified: float | None, why: str
) -> None:
    body = f"<title>A</title>{head}<main><p>Some words about a mill by the lake.".encode()
    read = read_body(
        body, URL, "text/html", [("last-modified", header)], context=ReadingContext(published=FEED)
    )
    page = unpack(read.content, {"url": URL, "language": "en", "media_type": "text/html"})
    assert (page.published, page.modified) == (published, modified), why
