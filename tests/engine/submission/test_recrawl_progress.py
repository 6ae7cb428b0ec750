"""How far a request for a recrawl is: queued, fetched, indexed."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.model import State
from engine.store import Store
from engine.submission import (
    RecrawlKind,
    RecrawlService,
    RecrawlState,
)
from tests.crawling import HOST, Clock, Web, crawl_of, run, states, step
from tests.engine.commands.test_submit import visited
from tests.engine.submission.recrawls import WEB, token_of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "kind", "answers", "then", "final", "why"),
    [
        (f"{HOST}/docs/a", "page", {}, RecrawlState.INDEXED, RecrawlState.INDEXED, "as it was"),
        (
            f"{HOST}/docs/new",
            "page",
            {f"{HOST}/docs/new": []},
            RecrawlState.FETCHED,
            RecrawlState.INDEXED,
            "new",
        ),
        (
            f"{HOST}/docs/a",
            "page",
            {f"{HOST}/docs/a": 410},
            RecrawlState.FETCHED,
            RecrawlState.FAILED,
            "gone",
        ),
        (
            f"{HOST}/docs/*",
            "page",
            {f"{HOST}/docs/a": 410},
            RecrawlState.FETCHED,
            RecrawlState.INDEXED,
            "one of two gone",
        ),
        (
            f"{HOST}/sitemap.xml",
            "sitemap",
            {},
            RecrawlState.FAILED,
            RecrawlState.FAILED,
            "there is no sitemap",
        ),
    ],
)
def test_how_far_a_request_is(
    folder: Path,
    service: RecrawlService,
    clock: Clock,
    url: str,
    kind: str,
    answers: dict[str, int | list[str]],
    then: RecrawlState,
    final: RecrawlState,
    why: str,
) -> None:
    secret = token_of(folder, HOST)
    follow(folder)
    made = service.request(secret, url, RecrawlKind(kind)).request
    assert service.status(secret, made.id).progress.state is RecrawlState.QUEUED
    clock.now += 1
    assert visited(folder, Web({**WEB, **answers}), clock), why
    fetched = service.status(secret, made.id).progress
    assert fetched.state is then, why
    assert not fetched.queued
    follow(folder)
    done = service.status(secret, made.id).progress
    assert done.state is final, why
    assert bool(done.reason) is (done.failed > 0)


def follow(folder: Path) -> None:
    """The index takes up what was crawled."""
    with closing(Store(folder)) as store:
        Follower(store, folder).catch_up()


def test_a_sitemaps_request_waits_for_the_pages_that_it_lists(
    folder: Path, service: RecrawlService, clock: Clock
) -> None:
    sitemap = f"{HOST}/new.xml"
    listed = "".join(f"<url><loc>{HOST}/docs/{name}</loc></url>" for name in ("a", "new"))
    web = Web({**WEB, f"{HOST}/docs/new": []}, sitemaps={sitemap: f"<urlset>{listed}</urlset>"})
    secret = token_of(folder, HOST)
    made = service.request(secret, sitemap, RecrawlKind.SITEMAP).request
    clock.now += 1
    crawl = crawl_of(folder, clock, own=True)
    while sitemap not in [url for _, url in web.log]:
        assert service.status(secret, made.id).progress.state is RecrawlState.QUEUED
        step(crawl, web, clock)
    run(crawl, web, clock)
    crawl.store.close()
    assert f"{HOST}/docs/new" in web.asked()
    assert service.status(secret, made.id).progress.state is RecrawlState.FETCHED
    follow(folder)
    progress = service.status(secret, made.id).progress
    assert (progress.state, progress.indexed) == (RecrawlState.INDEXED, 2)


def test_a_later_round_does_not_undo_it(folder: Path, service: RecrawlService, clock: Clock) -> None:
    """The next night's crawl queues all pages again."""
    secret = token_of(folder, HOST)
    made = service.request(secret, f"{HOST}/docs/a", RecrawlKind.PAGE).request
    clock.now += 1
    visited(folder, Web(dict(WEB)), clock)
    follow(folder)
    clock.now += 86_400
    crawl_of(folder, clock, own=True).store.close()
    assert states(folder)[f"{HOST}/docs/a"][0] == State.QUEUED
    assert service.status(secret, made.id).progress.state is RecrawlState.INDEXED
