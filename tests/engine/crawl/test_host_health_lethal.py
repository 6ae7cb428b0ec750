"""Pages that end the process that reads them, on a fake clock: their host is left, they are tried rarely."""

import logging
from collections import Counter
from pathlib import Path

import pytest

import tests.crawling
from engine.crawl.host_health import MAX_LETHAL
from engine.crawl.response_policy import classify_response
from engine.model.page import LETHAL, Fetch, State, Visit
from engine.store.suspects import load_suspects
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states

PAGES = 40
PATHS = ("/", *(f"/{n}" for n in range(PAGES)))
DAY = 86_400.0


def deadly(monkeypatch: pytest.MonkeyPatch, *urls: str) -> None:
    """These pages end their readers."""

    def judged(fetch: Fetch) -> Visit:
        return Visit(fetch, State.SKIPPED, LETHAL) if fetch.claim.url in urls else classify_response(fetch)

    monkeypatch.setattr(tests.crawling, "classify_response", judged)


def hosts_of_two() -> Web:
    """One host that ends readers, and one that does not."""
    web = Web(chain(*PATHS))
    web.answers[f"{HOST}/"] = [f"{HOST}{path}" for path in PATHS]
    good = "http://good.example"
    web.answers |= {f"{good}/": [f"{good}/{n}" for n in range(PAGES)]}
    web.answers |= {f"{good}/{n}": [f"{good}/"] for n in range(PAGES)}
    return web


SEEDS = (f"{HOST}/", "http://good.example/")


def test_a_host_of_which_three_pages_end_readers_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """For this run; what waits there stays queued, and other hosts are crawled on."""
    deadly(monkeypatch, *(f"{HOST}/{n}" for n in range(PAGES)))
    web, clock = hosts_of_two(), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    with caplog.at_level(logging.WARNING, "lycosa"):
        run(crawl, web, clock)
    asked = Counter(url.startswith(HOST) for url in web.asked())
    assert asked == {True: 1 + MAX_LETHAL, False: 1 + PAGES}
    assert any(
        f"{HOST} is suspended" in line and f"{MAX_LETHAL} of its pages" in line for line in caplog.messages
    )
    assert crawl.counters.counts["hosts skipped: their pages stop the readers"] == 1
    with crawl.store.engine.connect() as connection:
        seen = [one.seen for one in load_suspects(connection)]
    assert [(one.rule, one.target.text, one.times) for one in seen] == [("readers", HOST, MAX_LETHAL)]
    assert Counter(state for state, _ in states(tmp_path).values())["queued"] == PAGES - MAX_LETHAL


@pytest.mark.parametrize(
    ("own", "lethal", "why"),
    [
        (False, MAX_LETHAL - 1, "two may be an accident"),
        (True, PAGES, "the operator's own site is his to mend: it is said, loudly"),
    ],
)
def test_a_host_that_is_not_left(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    own: bool,
    lethal: int,
    why: str,
) -> None:
    deadly(monkeypatch, *(f"{HOST}/{n}" for n in range(lethal)))
    web, clock = hosts_of_two(), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS, own=own)
    with caplog.at_level(logging.ERROR, "lycosa"):
        run(crawl, web, clock)
    assert len(set(web.asked())) == 2 * (1 + PAGES), why
    assert any("is your own" in line for line in caplog.messages) == own


@pytest.mark.slow
def test_a_page_that_ends_its_reader_is_tried_ever_more_rarely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every night: after two days, four, eight."""
    lethal, clock = f"{HOST}/1", Clock()
    deadly(monkeypatch, lethal)
    nights = []
    for night in range(32):
        clock.now = 1_800_000_000.0 + night * DAY
        web = Web(chain("/", "/1", "/2"))
        web.answers[f"{HOST}/"] = [f"{HOST}/1", f"{HOST}/2"]
        crawl = crawl_of(tmp_path, clock)
        run(crawl, web, clock)
        crawl.store.close()
        assert f"{HOST}/2" in web.asked()
        nights += [night] * (lethal in web.asked())
    assert nights == [0, 2, 6, 14, 30]
