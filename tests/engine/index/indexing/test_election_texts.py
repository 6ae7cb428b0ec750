"""What a copy that is elected is shown with: what it has itself."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.crawl import Crawl, Limits
from engine.database import copies, open_database, pages, urls
from engine.model.page import COPY, NEAR_COPY, State
from engine.robots import Directives
from engine.search.search import SearchService
from engine.store import drop_forbidden, match_target, parse_target, purge_urls
from tests.crawling import EVERYTHING, HOST, Clock, reading, states
from tests.engine.index.indexing.test_election import DAY, TEXT, crawled, election, stored, web_of


def page_of(folder: Path, path: str) -> sa.Row[Any]:
    engine = open_database(folder)
    query = sa.select(pages, urls.c.etag).join(urls, urls.c.id == pages.c.url_id)
    with engine.connect() as connection:
        found = connection.execute(query.where(urls.c.url == f"{HOST}/{path}")).one()
    engine.dispose()
    return found


def count_copies(crawl: Crawl) -> int:
    with crawl.store.engine.connect() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(copies)).scalar_one()


def test_who_takes_over_has_its_own_text(tmp_path: Path) -> None:
    """Equal texts may have other titles and other links: a hit leads to what it shows."""
    clock, web = Clock(), web_of({"aa": 0, "b": 1})
    web.headers[f"{HOST}/b"] = [("etag", "b")]
    crawl, visited_at = crawled(tmp_path, clock, web), clock.now
    clock.now += DAY
    election(crawl, tmp_path, clock.now)
    own, page = reading(f"{HOST}/b", [], **TEXT), page_of(tmp_path, "b")
    assert page.content == own.content != reading(f"{HOST}/aa", [], **TEXT).content
    assert page.fetched_at <= visited_at, "the response that is kept"
    assert page.etag == "b", "so it need not be read again"
    with closing(SearchService(tmp_path)) as search:
        (hit,) = [hit for hit in search.search("text", size=100).hits if hit.copies]
    assert hit.title == f"{HOST}/b"


@pytest.mark.parametrize(
    ("seconds", "limits", "why"),
    [
        (DAY, EVERYTHING, "the next night"),
        (600.0, replace(EVERYTHING, due_only=True), "one that visits what is due has not to await its rest"),
    ],
)
def test_whose_text_is_not_there_waits_for_the_next_crawl(
    tmp_path: Path, seconds: float, limits: Limits, why: str
) -> None:
    """In a database of older days, which kept no text of copies."""
    clock, web = Clock(), web_of({"aa": 0, "b": 1})
    crawl = crawled(tmp_path, clock, web)
    with crawl.store.engine.begin() as connection:
        connection.execute(sa.delete(copies))
    assert election(crawl, tmp_path, clock.now) == 0
    assert stored(tmp_path, "aa", "b") == ["aa"], "it is shown with its own text, or not"
    clock.now += seconds
    assert election(crawled(tmp_path, clock, web, limits), tmp_path, clock.now) == 1, why
    assert page_of(tmp_path, "b").content == reading(f"{HOST}/b", [], **TEXT).content


def test_each_is_said_to_be_the_copy_that_it_is(tmp_path: Path) -> None:
    """Of a near copy that stands now the others are near copies, however equal to the page before."""
    clock = Clock()
    crawl = crawled(tmp_path, clock, web_of({"aa": 0, "b": 1, "cc": 0, "dd": 0}))
    near = urls.c.url.in_([f"{HOST}/b", f"{HOST}/dd"])
    with crawl.store.engine.begin() as connection:
        connection.execute(sa.update(urls).where(near).values(reason=NEAR_COPY))
        of_near = copies.c.url_id.in_(sa.select(urls.c.id).where(near))
        connection.execute(sa.update(copies).where(of_near).values(fingerprint=b"near"))
    assert election(crawl, tmp_path, clock.now) == 1
    found = {path: states(tmp_path)[f"{HOST}/{path}"][1] for path in ("aa", "b", "cc", "dd")}
    assert found == {"aa": NEAR_COPY, "b": "", "cc": NEAR_COPY, "dd": COPY}


def remove(crawl: Crawl) -> None:
    with crawl.store.engine.begin() as connection:
        purge_urls(connection, match_target(parse_target(f"{HOST}/b")))


def forbid(crawl: Crawl) -> None:
    with crawl.store.engine.begin() as connection:
        host = connection.execute(sa.select(urls.c.host_id)).scalar() or 0
        assert (
            drop_forbidden(connection, host, lambda url: State.DISALLOWED if url[-2:] == "/b" else None) == 0
        )


@pytest.mark.requirement(285)
@pytest.mark.parametrize(
    ("leave", "answer", "why"),
    [
        (remove, [], "it was removed"),
        (forbid, [], "robots.txt forbids it since"),
        (lambda crawl: crawl.store.clear(0.0), [], "the crawl begins afresh"),
        (None, 410, "it is gone"),
        (None, ["noindex"], "its owner wants it found no more"),
        (None, ["another text"], "it is a page of its own"),
    ],
)
def test_nothing_stays_of_a_copy_that_is_none_any_more(
    tmp_path: Path, leave: Callable[[Crawl], None] | None, answer: int | list[str], why: str
) -> None:
    clock, web = Clock(), web_of({"aa": 0, "b": 0})
    crawl = crawled(tmp_path, clock, web)
    assert count_copies(crawl) == 1
    if leave:
        leave(crawl)
    else:
        web.answers[f"{HOST}/b"] = answer if isinstance(answer, int) else []
        web.said[f"{HOST}/b"] = {"directives": Directives(index=False)} if answer == ["noindex"] else {}
        clock.now += DAY
        crawl = crawled(tmp_path, clock, web)
    assert count_copies(crawl) == 0, why
