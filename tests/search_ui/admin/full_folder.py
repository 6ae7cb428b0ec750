"""A data folder in which everything that the operator's pages show has happened."""

import shutil
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from engine import generations
from engine.alerts.alert import AlertKind, Finding
from engine.alerts.ledger import record_findings
from engine.complaints import make_complaint
from engine.config import Config, load_config
from engine.database import ALERTS, RECRAWL, quarantine, urls, write_side
from engine.frontier.paused_hosts import pause_host
from engine.history.host_counts import HostDelta, add_counts, open_history
from engine.history.samples import MINUTE, Sample, record_sample
from engine.index.indexing.follow import make_follower
from engine.store.blocklist import Target, add_block, lift_block, parse_target
from engine.store.page_store import Store
from engine.store.runs import record_heartbeat, start_run
from engine.store.submissions import SubmissionState, save_submission
from engine.store.suspects import Sighting, save_sighting
from engine.submission.tokens import add_token
from engine.suggest import past_queries
from tests.crawling import HOST, Clock, Web, crawl_of, run

HOSTILE = '"><script>alert(1)</script>\u202e'
TOML = f"""contact = "owner@crawl.example"
[[site]]
seeds = ["{HOST}/"]
own = true
[serve]
past_queries = true
unanswered_query_days = 30
"""


def fill(data: Path) -> Config:
    """Fills a folder, and returns its configuration."""
    data.mkdir(exist_ok=True)
    (data / "crawl.toml").write_text(TOML, encoding="utf-8")
    now = time.time()
    _crawl(data, now - 7_200)
    _keep_history(data, now)
    _raise_alarms(data, now)
    asked = (f"{words}\t{times}\t{now:.0f}\n" for words, times in (("spider", 9), (HOSTILE, 3), ("rare", 2)))
    (data / past_queries.FILE).write_text("".join(asked), encoding="utf-8")
    waiting = (("tarantula", 7, now), ("evnt loop", 3, now - 2 * past_queries.DAY), ("rare", 2, now))
    unanswered = (f"{words}\t{times}\t{at:.0f}\n" for words, times, at in waiting)
    (data / past_queries.UNANSWERED_FILE).write_text("".join(unanswered), encoding="utf-8")
    with write_side(data, RECRAWL) as ledger:
        for name in ("deploy", HOSTILE.rstrip("\u202e")):
            add_token(ledger, name, [parse_target("h.example"), parse_target(f"{HOST}/docs/*")], 500, now)
    pause_host(data, f"http://{'long' * 20}.example", now)
    make_complaint(data, HOST, f"Too fast.\n{HOSTILE}", "owner@h.example", now)
    make_complaint(data, "http://other.example", "Thanks", "", now, pauses=False)
    config = read_config(data)
    with closing(Store(data)) as store:
        make_follower(store, config).catch_up()
        (index,) = (data / "index").glob("g*")
        shutil.copytree(index, data / "index" / "draft-rebuild")
        generations.publish(data, generations.FolderGeneration(data / "index" / "draft-rebuild"))
        with store.engine.begin() as connection:
            for place in ("http://shop.example/*", f"http://old.example/{HOSTILE}"):
                add_block(connection, parse_target(place), f"asked {HOSTILE}", "owner@shop.example", now)
            lift_block(connection, 2, now)
    return config


def read_config(data: Path) -> Config:
    return load_config({"DATA_DIR": data, "CRAWL_TOML": data / "crawl.toml"})


def _crawl(data: Path, began: float) -> None:
    """A crawl with pages, errors and what waits for the operator; and one that runs."""
    clock = Clock(began)
    links = [f"{HOST}/{name}" for name in ("spider", "fly", "gone", "broken", f"{HOSTILE}")]
    web = Web({f"{HOST}/": links, links[0]: [], links[1]: [], links[3]: 500})
    crawl = crawl_of(data, clock, own=True)
    run(crawl, web, clock)
    crawl.store.close()
    with closing(Store(data)) as store, store.engine.begin() as connection:
        for number in range(60):
            url = f"http://other.example/{number}{HOSTILE if number == 3 else ''}"
            save_submission(connection, url, SubmissionState.WAITING, began + number)
        for place, rule in (("http://trap.example/calendar?", "queries"), (f"{HOST}/shop", "repeat")):
            target: Target = parse_target(f"{place}*")
            save_sighting(connection, Sighting(HOST, rule, target, f"{place}{HOSTILE}", 12), 1, began)
        held = {"url": links[1], "kinds": "private key", "line": 7, "found_at": began}
        connection.execute(quarantine.insert().values(held))
        reason = urls.update().where(urls.c.url == links[1]).values(reason="quarantine: private key")
        connection.execute(reason)
        run_id = start_run(connection, "crawl", began + 7_000)
        counts = {"stored": 1_204, "queued": 880, "errors": 3, "per_second": 4.0}
        record_heartbeat(connection, run_id, time.time() + 3_600, counts)


def _keep_history(data: Path, now: float) -> None:
    statuses = Counter({"200": 40, "404": 2, f"error {HOSTILE}": 1})
    with open_history(data) as history:
        for number, requests in ((1, 20), (2, 43)):
            delta = HostDelta(
                requests, requests, 3, 8.0, 90_000, first_at=now, last_at=now, statuses=statuses
            )
            hosts = {HOST: delta, **{f"http://h{n}.example": HostDelta(1, 1, last_at=now) for n in range(60)}}
            add_counts(history, number, hosts)
        last = int(now // MINUTE)
        for ago in (*range(60), *range(300, 700), *range(2_000, 2_003)):
            errors, rate = max(0, 30 - ago), 5.0 if ago % 7 else 2.5
            record_sample(history, Sample(last - ago, 9, errors, 880 + 3 * ago, rate, 60.0 * (ago % 20)))


def _raise_alarms(data: Path, now: float) -> None:
    found = [
        Finding(AlertKind.HOST_DOWN, HOST, True, now - 900, f"{HOST} is down: {HOSTILE}", "Look at it."),
        Finding(AlertKind.DISK, "", True, now - 60, "The disk is nearly full", "Free some space."),
    ]
    with write_side(data, ALERTS) as ledger:
        record_findings(ledger, found, (), now)
