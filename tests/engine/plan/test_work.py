"""The arithmetic of a plan: what is left to do, at which host, and who is the last."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import MAX_HOST_PAGES, SiteConfig
from engine.frontier.crawl_rate import LEAST_PAUSE
from engine.frontier.host_queue import MAX_IN_MEMORY
from engine.frontier.robots_cache import MAX_RULES_BYTES
from engine.frontier.seen_urls import SEEN_BYTES
from engine.frontier.sites import build_sites
from engine.plan import Assumptions, FolderSizes, Plan, PlanInput, make_plan
from engine.plan.known import BODY_BYTES, INDEX_BYTES, PAGE_BYTES, URL_CHARS
from engine.plan.space import URL_ROW_BYTES, estimate_url_set
from engine.plan.work import CLAIM_BYTES, HOST_BYTES, PROCESS_BYTES, PROCESSES, ROBOTS_BYTES, SLOWEST
from engine.robots import RobotsState, Verdict
from engine.store.survey import HostCounts, RecentVisits, UrlCounts
from tests.crawling import EPOCH

PAUSE = 6.25  # seconds; the mean of polite
FREE = 10**15
NONE = UrlCounts()


def planned(*hosts: tuple[str, UrlCounts], known: UrlCounts = NONE, **more: object) -> Plan:
    """A plan for hosts at a stranger's pace."""
    folder = more.pop("folder", FolderSizes(free=FREE))
    given_ = PlanInput(known, 0.0, more.pop("recent", RecentVisits()), folder, **more)  # type: ignore[arg-type]
    return make_plan(
        given_, [HostCounts(name, counts) for name, counts in hosts], None, EPOCH, MAX_HOST_PAGES
    )


def host(name: str, **counts: int) -> tuple[str, UrlCounts]:
    return f"http://{name}.example", UrlCounts(**counts)


def names(made: Plan) -> list[str]:
    return [one.host.removeprefix("http://").removesuffix(".example") for one in made.hosts]


@pytest.mark.requirement(272)
def test_the_crawl_ends_with_its_slowest_host() -> None:
    """Hours by host; hosts do not wait for each other."""
    made = planned(host("a", queued=10), host("b", queued=100), host("c", known=5, pages=5))
    assert names(made) == ["b", "a"]
    assert [one.seconds_queued for one in made.hosts] == [100 * PAUSE, 10 * PAUSE]
    assert (made.seconds, made.seconds_queued, made.busy_hosts, made.queued) == (625.0, 625.0, 2, 110)


@pytest.mark.parametrize(
    ("queues", "after", "tail", "why"),
    [
        ((100,), 90, 1, "one host is its own tail"),
        ((100, 100, 100), 90, 3, "all are at work to the end"),
        ((100, 10), 89, 1, "of 110 visits 99 are made when the long one has made 89"),
        ((1_000, *[10] * 90), 810, 1, "the short ones bring 900 of 1,900"),
        ((30, 20, *[10] * 100), 10 * 945 / 1_020, 102, "the last tenth needs all of them"),
        ((30, 20, *[10] * 9), 18, 2, "140 visits; 126 are made at 18 pauses"),
        ((), 0, 0, "nothing to do"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_tail_is_who_is_still_at_work_when_nine_tenths_are_done(
    queues: tuple[int, ...], after: float, tail: int, why: str
) -> None:
    made = planned(*(host(f"h{number}", queued=queued) for number, queued in enumerate(queues)))
    assert made.tail == tail, why
    assert made.seconds_most == pytest.approx(after * PAUSE), why


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=30))
def test_nine_tenths_of_the_visits_are_made_by_then(queues: list[int]) -> None:
    made = planned(*(host(f"h{number}", queued=queued) for number, queued in enumerate(queues)))
    by_then = sum(min(queued, made.seconds_most / PAUSE) for queued in queues)
    assert by_then == pytest.approx(0.9 * sum(queues))
    assert made.tail == sum(queued * PAUSE > made.seconds_most for queued in queues)
    assert 1 <= made.tail <= len(queues)


MANY = UrlCounts(known=3_000, visited=2_000, recent=500, found=50)


@pytest.mark.requirement(274)
@pytest.mark.parametrize(
    ("counts", "known", "to_find", "why"),
    [
        (UrlCounts(queued=100), MANY, 10, "each brings a tenth of a URL, as the last visits did everywhere"),
        (
            UrlCounts(queued=100, recent=200, found=100),
            MANY,
            50,
            "this host's own visits count, if many",
        ),
        (UrlCounts(queued=100, recent=20, found=20), MANY, 10, "too few of its own to tell"),
        (UrlCounts(queued=100, revisits=80), MANY, 2, "what is visited once more brings nothing new"),
        (
            UrlCounts(queued=100),
            UrlCounts(recent=49, found=4_900),
            0,
            "too few visits to say anything",
        ),
        (UrlCounts(queued=100, known=MAX_HOST_PAGES - 3), MANY, 3, "no host is let grow further"),
        (UrlCounts(queued=100, known=MAX_HOST_PAGES + 9), MANY, 0, "nor further still"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_still_to_be_found_is_extrapolated(
    counts: UrlCounts, known: UrlCounts, to_find: int, why: str
) -> None:
    """A small voyage, extrapolated."""
    made = planned(("http://h.example", counts), known=known)
    assert made.to_find == made.hosts[0].to_find == to_find, why
    assert made.seconds == pytest.approx((100 + to_find) * PAUSE), why
    assert made.seconds_queued == 100 * PAUSE, why


def test_hosts_that_the_next_crawl_does_not_visit_are_counted_apart() -> None:
    sites = build_sites([SiteConfig(("http://a.example/",), profile="brisk")])
    down = RobotsState(Verdict.DEFER, b"", EPOCH, EPOCH, 503)
    slow = RobotsState(Verdict.OBEY, b"User-agent: *\nCrawl-delay: 2", EPOCH, EPOCH, 200)
    hosts = [
        HostCounts("http://a.example", UrlCounts(queued=8), slow),
        HostCounts("https://a.example", UrlCounts(queued=4), down),
        HostCounts("http://b.example", UrlCounts(queued=2)),
    ]
    made = make_plan(
        PlanInput(UrlCounts(), 0.0, RecentVisits(), FolderSizes(free=FREE)),
        hosts,
        sites,
        EPOCH,
        MAX_HOST_PAGES,
    )
    assert names(made) == ["a"]
    assert made.hosts[0].pause == 2.5, "the site's own pace, and its owner's wish"
    assert (made.suspended.hosts, made.suspended.urls) == (1, 4)
    assert (made.not_ours.hosts, made.not_ours.urls) == (1, 2)


def test_a_machine_has_its_limits() -> None:
    own = build_sites([SiteConfig((f"http://h{n}.example/",), own=True) for n in range(3)])
    hosts = [HostCounts(f"http://h{n}.example", UrlCounts(queued=100)) for n in range(3)]
    made = make_plan(
        PlanInput(UrlCounts(), 0.0, RecentVisits(), FolderSizes(free=FREE)), hosts, own, EPOCH, MAX_HOST_PAGES
    )
    assert made.hosts[0].seconds == pytest.approx(100 * LEAST_PAUSE)
    assert made.seconds == made.seconds_queued == pytest.approx(300 * LEAST_PAUSE)


def test_only_the_slowest_hosts_are_kept() -> None:
    made = planned(*(host(f"h{number}", queued=number + 1) for number in range(SLOWEST + 50)))
    assert (len(made.hosts), made.busy_hosts) == (SLOWEST, SLOWEST + 50)
    assert names(made)[0] == f"h{SLOWEST + 49}"
    assert made.hosts[-1].queued == 51


@pytest.mark.requirement(272)
@pytest.mark.parametrize(
    ("visits", "seconds", "much_slower"),
    [(0, 0.0, False), (101, 625.0, False), (101, 1_240.0, False), (101, 1_300.0, True)],
)
def test_visits_that_come_far_slower_than_planned(visits: int, seconds: float, much_slower: bool) -> None:
    """Far off, by a factor of two, is a problem."""
    made = planned(host("h", queued=100), recent=RecentVisits(EPOCH, visits, seconds))
    assert made.is_much_slower == much_slower
    assert (made.seconds_at_recent_rate is None) == (visits == 0)


@pytest.mark.requirement(270)
def test_room_on_the_disk_and_in_memory() -> None:
    """What is there now, a piece, times what is to come."""
    known = UrlCounts(known=1_000, queued=400, visited=600, pages=300, bytes=300 * 20_000)
    database = 1_000 * (URL_ROW_BYTES + 100) + 300 * 5_000
    folder = FolderSizes(database, index=3_000_000, indexed_pages=300, free=0)
    of = PlanInput(known, 50.0, RecentVisits(), folder)
    made = make_plan(of, [HostCounts("http://h.example", known)], None, EPOCH, MAX_HOST_PAGES)
    assert (made.disk.url, made.disk.page, made.disk.indexed) == (URL_ROW_BYTES + 100, 5_000, 10_000)
    assert made.disk.database == database + 200 * 5_000, "half of the visits bring pages"
    assert made.disk.index == 500 * 10_000
    assert made.disk.shortage == 200 * 5_000 + 3 * 500 * 10_000 - 3_000_000, "a rebuild needs it thrice"
    assert made.bytes_to_fetch == 200 * 20_000
    assert made.memory_hosts == HOST_BYTES + ROBOTS_BYTES + 64 * CLAIM_BYTES
    assert made.memory == PROCESSES * PROCESS_BYTES + SEEN_BYTES + made.memory_hosts


@pytest.mark.requirement(270)
def test_memory_has_a_bound_however_many_urls_wait() -> None:
    """The hosts share what their rules and next URLs may take."""
    made = planned(*(host(f"h{n}", queued=1_000) for n in range(10_000)))
    assert made.memory_hosts == 10_000 * HOST_BYTES + MAX_RULES_BYTES + MAX_IN_MEMORY * CLAIM_BYTES


def test_usual_figures_stand_for_what_is_not_known() -> None:
    made = planned(host("h", known=2, queued=2))
    assert (made.disk.page, made.disk.indexed) == (PAGE_BYTES, INDEX_BYTES)
    assert made.disk.url == URL_ROW_BYTES + 2 * URL_CHARS
    assert made.bytes_to_fetch == 2 * BODY_BYTES


@pytest.mark.requirement(24)
def test_the_space_of_a_set_of_urls() -> None:
    """40 characters times 500 million URLs are 20 GB, and a bit map is far less."""
    made = planned(assumptions=Assumptions(500_000_000, 40))
    assert made.url_set == estimate_url_set(500_000_000, 40)
    assert made.url_set.exact == 20e9
    assert made.url_set.bit_map == pytest.approx(898.6e6, rel=1e-3), "14.378 bits each, ln 1000 / ln 2 ** 2"
    assert made.disk.database == 500_000_000 * (URL_ROW_BYTES + 80 + PAGE_BYTES)
    assert made.disk.index == 500_000_000 * INDEX_BYTES


@pytest.mark.requirement(24)
@given(st.integers(1, 10**9), st.integers(1, 2_000))
def test_a_bit_map_is_smaller_than_texts(urls: int, chars: int) -> None:
    space = estimate_url_set(urls, chars)
    assert space.bit_map < 2 * urls
    assert space.bit_map < space.exact or chars < 2
