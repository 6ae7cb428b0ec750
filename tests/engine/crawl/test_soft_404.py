"""Soft 404s on a fake clock: who is asked, what leaves, and what never does."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.crawl import Crawl, soft_404
from engine.crawl.soft_404 import MAX_SUSPECTED, MIN_URLS, TRUSTED_SECONDS, make_unused_url
from engine.database import write_transaction
from engine.model import Claim, Fetch, Purpose, Reading, State, Visit
from engine.store.known_hosts import load_error_page
from engine.store.suspects import load_suspects
from tests.crawling import HOST, Clock, Web, crawl_of, reading, run, states

pytestmark = pytest.mark.requirement(81)

PROBE = re.compile(rf"{HOST}/(?:[a-z]+/)?lycosa-[0-9a-f]{{16}}")
ERROR: dict[str, object] = {"shape": b"not found"}
LOST = [f"/lost{n}" for n in range(9)]
FINE = [f"/fine{n}" for n in range(5)]


def site(lost: list[str] = LOST, missing: int | list[str] = 200) -> Web:
    """A home page with links to pages and to none; what is not there shows the one error page."""
    paths = [*FINE, *lost]
    web = Web({f"{HOST}{path}": [] for path in FINE}, missing=[] if missing == 200 else missing)
    web.answers[f"{HOST}/"] = [f"{HOST}{path}" for path in paths]
    for path in FINE:
        web.said[f"{HOST}{path}"] = {"shape": path.encode()}
    web.usual = ERROR
    web.said[f"{HOST}/"] = {"shape": b"home"}
    return web


def crawled(folder: Path, web: Web, clock: Clock, **more: Any) -> Crawl:
    crawl = crawl_of(folder, clock, profile=more.pop("profile", "brisk"), **more)
    run(crawl, web, clock)
    return crawl


def probes(web: Web) -> list[str]:
    return [url for url in web.asked() if PROBE.fullmatch(url)]


def there(folder: Path, *paths: str) -> set[str]:
    """What became of these paths."""
    known = states(folder)
    return {" ".join(known[f"{HOST}{path}"]).strip() for path in paths}


def test_what_a_host_says_of_pages_that_cannot_exist_is_no_page(tmp_path: Path) -> None:
    """A random path answers alike; what led to the question leaves, too."""
    web, clock = site(), Clock()
    crawl = crawled(tmp_path, web, clock)
    assert len(probes(web)) == 1
    assert there(tmp_path, *LOST) == {"gone soft 404"}
    assert there(tmp_path, "/", *FINE) == {"stored"}
    assert crawl.counters.counts["errors: soft 404"] == len(LOST) - MIN_URLS
    assert {change.url for change in crawl.store.changes(0, 99) if change.page} == {
        f"{HOST}{path}" for path in ("/", *FINE)
    }
    with crawl.store.engine.connect() as connection:
        (suspect,) = load_suspects(connection)
    assert (suspect.seen.rule, suspect.seen.times) == ("soft 404", len(LOST))
    assert not [url for url in states(tmp_path) if "lycosa-" in url], "the question leaves no trace"


def test_the_question_waits_for_its_turn(tmp_path: Path) -> None:
    """C33: as every request, after the host's pause."""
    web, clock = site(), Clock()
    crawled(tmp_path, web, clock, profile="polite")
    times = [at for at, _ in web.log]
    assert min(b - a for a, b in pairwise(times)) >= 5.0


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (404, "an honest host: tables of numbers look alike"),
        (410, "as honest"),
        (403, "it says nothing"),
        (500, "it says nothing now"),
    ],
)
def test_pages_that_only_look_alike_stay(tmp_path: Path, status: int, why: str) -> None:
    web, clock = site(missing=status), Clock()
    for path in LOST:
        web.answers[f"{HOST}{path}"], web.said[f"{HOST}{path}"] = [], ERROR
    crawled(tmp_path, web, clock)
    assert len(probes(web)) == 1, why
    assert there(tmp_path, "/", *FINE, *LOST) == {"stored"}, why


def test_the_crawl_does_not_end_before_the_answer(tmp_path: Path) -> None:
    """The last three URLs raise the question."""
    web, clock = site(lost=LOST[:MIN_URLS]), Clock()
    crawled(tmp_path, web, clock)
    assert probes(web) == web.asked()[-1:]
    assert there(tmp_path, *LOST[:MIN_URLS]) == {"gone soft 404"}


def test_nobody_is_asked_about_pages_that_differ(tmp_path: Path) -> None:
    web, clock = site(lost=LOST[: MIN_URLS - 1]), Clock()
    crawled(tmp_path, web, clock)
    assert not probes(web)


def test_a_page_without_letters_has_no_shape(tmp_path: Path) -> None:
    web, clock = site(), Clock()
    web.usual = {"shape": b""}
    crawled(tmp_path, web, clock)
    assert not probes(web)
    assert there(tmp_path, *LOST) == {"stored"}


@pytest.mark.requirement(2)
def test_robots_txt_holds_for_the_question(tmp_path: Path) -> None:
    """Every fetch passes the robots check."""
    web, clock = site(), Clock()
    web.robots = {HOST: (200, b"User-agent: *\nDisallow: /lycosa")}
    crawled(tmp_path, web, clock)
    assert not probes(web)
    assert there(tmp_path, *LOST) == {"stored"}


def test_the_next_run_knows_it_and_asks_again_after_a_month(tmp_path: Path) -> None:
    clock = Clock()
    for wait, asked in ((0.0, 1), (86_400.0, 0), (TRUSTED_SECONDS, 1), (86_400.0, 0)):
        clock.now += wait
        web = site()
        crawled(tmp_path, web, clock)
        assert len(probes(web)) == asked
        assert there(tmp_path, *LOST) == {"gone soft 404"}
    clock.now += TRUSTED_SECONDS
    honest = site(missing=404)
    for path in LOST:
        honest.answers[f"{HOST}{path}"], honest.said[f"{HOST}{path}"] = [], ERROR
    crawl = crawled(tmp_path, honest, clock)
    assert len(probes(honest)) == 1
    with crawl.store.engine.connect() as connection:
        assert load_error_page(connection, HOST) is None
    clock.now += TRUSTED_SECONDS
    crawled(tmp_path, honest, clock)
    assert there(tmp_path, *LOST) == {"stored"}


def test_the_start_page_stays_whatever_the_host_says(tmp_path: Path) -> None:
    """Every path shows the home page: the seed and the root are all there is."""
    web, clock = site(), Clock()
    web.said[f"{HOST}/"] = ERROR
    web.answers[f"{HOST}/start"], web.said[f"{HOST}/start"] = [f"{HOST}/", f"{HOST}/lost1"], ERROR
    crawled(tmp_path, web, clock, seeds=(f"{HOST}/start",))
    assert len(probes(web)) == 1
    assert there(tmp_path, "/start", "/") == {"stored"}
    assert there(tmp_path, *LOST) == {"gone soft 404"}


@pytest.mark.parametrize(
    ("hops", "state", "why"),
    [
        (1, {"gone soft 404"}, "sent to one page"),
        (5, {"gone soft 404"}, "as far as robots.txt is followed"),
        (6, {"stored"}, "no further: nothing is known"),
    ],
)
def test_a_host_that_sends_the_question_elsewhere(
    tmp_path: Path, hops: int, state: set[str], why: str
) -> None:
    """What shows the same as the page that represents what is missing is not there; that page is."""
    web, clock = site(missing=302), Clock()
    web.usual = {}
    moves = ["/sorry", *(f"/hop{n}" for n in range(hops - 1))]
    web.elsewhere = f"{HOST}{moves[-1]}"
    for n in range(hops - 1):
        web.answers[f"{HOST}/hop{n}"] = 302
        web.headers[f"{HOST}/hop{n}"] = [("location", moves[n])]
    for path in ("/sorry", *LOST):
        web.answers[f"{HOST}{path}"], web.said[f"{HOST}{path}"] = [], ERROR
    web.answers[f"{HOST}/"] = [*web.answers[f"{HOST}/"], f"{HOST}/sorry"]  # type: ignore[misc]
    crawled(tmp_path, web, clock)
    assert len(probes(web)) == 1
    assert there(tmp_path, *LOST) == state, why
    assert there(tmp_path, "/sorry", "/", *FINE) == {"stored"}, why


def test_another_host_is_not_followed(tmp_path: Path) -> None:
    web, clock = site(missing=302), Clock()
    web.elsewhere = "http://elsewhere.example/"
    for path in LOST:
        web.answers[f"{HOST}{path}"], web.said[f"{HOST}{path}"] = [], ERROR
    crawled(tmp_path, web, clock, scope="any")
    assert "http://elsewhere.example/" not in web.asked()
    assert there(tmp_path, *LOST) == {"stored"}


def test_links_of_error_pages_lead_nowhere(tmp_path: Path) -> None:
    """Once the host is known to have error pages; those of the first ones were queued before."""
    web, clock = site(), Clock()
    web.answers[f"{HOST}/"] = [f"{HOST}{path}" for path in LOST[:MIN_URLS]]
    web.missing = [f"{HOST}/{n}" for n in range(4)]
    crawled(tmp_path, web, clock)
    assert len(web.asked()) == 1 + MIN_URLS + 1 + 4
    web.said[f"{HOST}/"] = {"shape": b"home, changed"}
    web.answers[f"{HOST}/"] = [f"{HOST}/other"]
    web.missing = [f"{HOST}/new"]
    clock.now += 86_400.0
    crawled(tmp_path, web, clock)
    assert f"{HOST}/other" in web.asked()
    assert f"{HOST}/new" not in web.asked()


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("http://h/a/b.html?q=/x/", "http://h/a/"),
        ("http://h/", "http://h/"),
        ("http://h/a/", "http://h/a/"),
    ],
)
def test_a_page_that_cannot_exist(url: str, folder: str) -> None:
    assert re.fullmatch(re.escape(folder) + "lycosa-[0-9a-f]{16}", make_unused_url(url))
    assert make_unused_url(url) != make_unused_url(url)


def test_so_many_pages_leave_at_once_when_the_answer_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many have shown it meanwhile: the others leave at their next visit."""
    left: list[set[int]] = []

    def drop_pages(_: object, suspected: Iterable[int], *__: object) -> list[str]:
        left.append(set(suspected))
        return []

    monkeypatch.setattr(soft_404, "drop_pages", drop_pages)
    crawl = crawl_of(tmp_path, Clock())
    shape = replace(reading(f"{HOST}/", []), shape=b"not found")
    for number in range(2 * MAX_SUSPECTED):
        claim = Claim(number, f"{HOST}/{number}", HOST, depth=1)
        crawl.soft_404.check(Visit(Fetch(claim, 200), State.STORED, reading=shape))
    probe = Fetch(Claim(0, f"{HOST}/lycosa", HOST, depth=1, kind=Purpose.PROBE), 200)
    with write_transaction(crawl.store.engine) as connection:
        crawl.soft_404.record_probe(connection, Visit(probe, State.STORED, reading=shape))
    assert left == [set(range(MAX_SUSPECTED))]


def test_until_the_answer_to_the_question_is_read_nothing_more_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slowly it comes: what is asked meanwhile may be the same wrong page again."""
    web, clock = site(), Clock()
    crawl = crawl_of(tmp_path, clock, profile="own")
    answer = web.fetch

    def fetch(claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        if claim.kind is Purpose.PROBE:
            clock.now += 60.0
            assert crawl.claim() is None
        return answer(claim, clock)

    monkeypatch.setattr(web, "fetch", fetch)
    run(crawl, web, clock)
    assert probes(web)
    assert there(tmp_path, *LOST) == {"gone soft 404"}
    assert there(tmp_path, "/", *FINE) == {"stored"}
