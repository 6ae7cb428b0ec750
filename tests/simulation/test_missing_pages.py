"""Pages that are deleted from their site, night after night: when nobody finds them any more."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.crawl import Limits
from engine.store.page_store import Store
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.simulation.nights import DAY, B, Nights


def stored(folder: Path) -> set[str]:
    """The URLs of all pages that can be found."""
    store = Store(folder)
    found = {change.url for change in store.changes(0, 1_000) if change.page}
    store.close()
    return found


@pytest.mark.slow
@pytest.mark.requirement(281, 286)
@pytest.mark.parametrize("due_only", [False, True])
@pytest.mark.parametrize("nights_before", [1, 2, 5, 9])
def test_the_second_look_comes_in_the_night_after_the_first(
    tmp_path: Path, nights_before: int, due_only: bool
) -> None:
    """Also by `-a revisit=1`, which visits a page the more rarely the longer it stayed the same."""
    nights = Nights(tmp_path, limits=Limits(due_only=due_only))
    for _ in range(nights_before):
        nights.night()
    page = f"{B}/1"
    nights.web.answers[page] = 404
    nights.night()
    while page not in nights.web.asked():
        nights.night()
    assert page in stored(tmp_path), "its first 404"
    assert page in nights.night()
    assert page not in stored(tmp_path)
    assert f"{B}/2" in stored(tmp_path)


@pytest.mark.requirement(238, 286)
def test_a_sitemap_that_still_lists_it_keeps_it_no_longer(tmp_path: Path) -> None:
    """That it has not changed since the last visit is no reason to wait: then it was missing."""
    nights = Nights(tmp_path)
    nights.night()
    page, changed = f"{B}/1", datetime.fromtimestamp(nights.clock.now + DAY / 2, UTC).isoformat()
    listed = f"<urlset><url><loc>{page}</loc><lastmod>{changed}</lastmod></url></urlset>"
    nights.web.sitemaps = {f"{B}/sitemap.xml": listed}
    nights.web.answers[page] = 404
    assert page in nights.night()
    assert page in stored(tmp_path), "its first 404"
    assert page in nights.night()
    assert page not in stored(tmp_path)


@pytest.mark.requirement(281)
def test_what_was_never_there_is_not_asked_the_night_after(tmp_path: Path) -> None:
    """A dead link is no page that somebody could still find."""
    nights = Nights(tmp_path, limits=Limits(due_only=True))
    nights.web.answers[f"{B}/1"] = 404
    assert [f"{B}/1" in nights.night() for _ in range(3)] == [True, True, False]


@pytest.mark.requirement(286)
@pytest.mark.parametrize(
    ("trust_404", "status", "stays", "why"),
    [
        (False, 404, True, "the default: it may be a moment's mistake"),
        (True, 404, False, "the operator says that his server makes none"),
        (False, 410, False, "410 is meant for good"),
        (True, 500, True, "an error says nothing of the page"),
    ],
)
def test_a_page_of_an_own_site_leaves_as_its_operator_says(
    tmp_path: Path, trust_404: bool, status: int, stays: bool, why: str
) -> None:
    web, clock = Web({f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}), Clock()
    for _ in range(2):
        crawl = crawl_of(tmp_path, clock, own=True, trust_404=trust_404)
        run(crawl, web, clock)
        crawl.store.close()
        web.answers[f"{HOST}/a"] = status
        clock.now += DAY
    assert (f"{HOST}/a" in stored(tmp_path)) is stays, why
