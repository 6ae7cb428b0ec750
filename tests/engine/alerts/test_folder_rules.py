"""What is wrong with a data folder: disk, memory, index, rebuilds, suspects, quarantine."""

import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.alerts import folder_rules
from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.ledger import load_open, record_findings
from engine.alerts.memory import MemoryUse
from engine.complaints import close_complaint, make_complaint
from engine.database import ALERTS, write_side
from engine.folder import FreeSpace
from engine.index.indexing import Follower
from engine.model import Secret
from engine.store import (
    Extent,
    Judgement,
    Sighting,
    Store,
    Target,
    end_run,
    judge_suspect,
    save_sighting,
    start_run,
)
from engine.store.quarantine import release_page
from tests.crawling import Clock, Web, chain, crawl_of, run

NOW = 1_800_000_000.0


def only(findings: Iterable[Finding]) -> Finding:
    (found,) = findings
    return found


@pytest.mark.parametrize(("free", "is_full"), [(0.2, False), (0.0001, True)])
def test_a_disk_that_fills_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, is_full: bool
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(total=10**12, free=int(free * 10**12)))
    found = only(folder_rules.judge_disk(FreeSpace(tmp_path), NOW))
    assert found.is_wrong == is_full
    assert ("100 MB are free" in found.message) == is_full


@pytest.mark.parametrize(("used", "is_full"), [(89, False), (91, True)])
def test_memory(monkeypatch: pytest.MonkeyPatch, used: int, is_full: bool) -> None:
    monkeypatch.setattr(folder_rules, "measure_memory", lambda: MemoryUse(used * 1e6, 100e6, "this service"))
    found = only(folder_rules.judge_memory(NOW))
    assert (found.is_wrong, found.hold) == (is_full, 180)
    assert found.message == f"{used}% of 100 MB of memory are in use (this service)"


def test_where_memory_cannot_be_measured_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_rules, "measure_memory", lambda: None)
    assert [*folder_rules.judge_memory(NOW)] == []


def test_an_index_that_does_not_follow(tmp_path: Path) -> None:
    """Its mark is how far it came: that stays the same while it is stuck."""
    clock = Clock()
    crawl = crawl_of(tmp_path, clock, seeds=("http://h.example/0",))
    run(crawl, Web(chain("/0", "/1", "/2")), clock)
    with closing(crawl.store) as store:
        behind = only(folder_rules.judge_index(store, tmp_path, NOW))
        assert (behind.is_wrong, behind.hold) == (True, 900)
        assert behind.message.startswith("The index lacks 3 changes")
        Follower(store, tmp_path).catch_up()
        assert not only(folder_rules.judge_index(store, tmp_path, NOW)).is_wrong


@pytest.mark.folder
def test_a_refused_rebuild(tmp_path: Path) -> None:
    assert not only(folder_rules.judge_rebuild(tmp_path, NOW)).is_wrong
    draft = generations.create_draft(tmp_path, "rebuild")
    generations.refuse(tmp_path, draft, ["it lost 9 documents", "it is slower"])
    found = only(folder_rules.judge_rebuild(tmp_path, NOW))
    assert found.is_wrong
    assert found.message.endswith("the old one stays: it lost 9 documents, and 1 more")
    generations.forget_refused(tmp_path)
    assert not only(folder_rules.judge_rebuild(tmp_path, NOW)).is_wrong


def suspect(host: str, rule: str) -> Sighting:
    return Sighting(host, rule, Target(Extent.HOST, host), f"{host}/a/a/a/")


def test_a_trap_is_an_alarm_of_the_crawl_that_met_it_until_it_is_judged(tmp_path: Path) -> None:
    """One for all hosts of a crawl: there may be hundreds. A later crawl that meets the same says nothing."""
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        assert [*folder_rules.judge_suspects(connection, [], NOW)] == []
        first = start_run(connection, "crawl", NOW)
        save_sighting(connection, suspect("http://c.example", "sensitive"), first, NOW + 1)
        assert not only(folder_rules.judge_suspects(connection, [], NOW + 2)).is_wrong
        for host in ("http://a.example", "http://b.example"):
            save_sighting(connection, suspect(host, "repeat"), first, NOW + 1)
        found = only(folder_rules.judge_suspects(connection, [], NOW + 2))
        assert (found.is_wrong, found.subject, found.at) == (True, f"crawl {first}", NOW)
        assert found.message == "2 hosts look like traps, for example http://a.example/a/a/a/"
        end_run(connection, first, NOW + 3, "finished")
        second = start_run(connection, "crawl", NOW + 100)
        save_sighting(connection, suspect("http://a.example", "repeat"), second, NOW + 101)
        known = [Alert("t", "open", AlertKind.TRAP, f"crawl {first}", NOW, None, "")]
        old, new = folder_rules.judge_suspects(connection, known, NOW + 102)
        assert (old.is_wrong, new.is_wrong) == (True, False)
        for number in (2, 3):
            judge_suspect(connection, number, Judgement.DISMISSED)
        old, new = folder_rules.judge_suspects(connection, known, NOW + 103)
        assert (old.is_wrong, new.is_wrong) == (False, False)


def test_quarantine_is_an_alarm_of_each_host(tmp_path: Path) -> None:
    urls = ["http://a.example/1", "http://a.example/2", "http://b.example/1"]
    web, clock = Web({url: [] for url in urls}), Clock()
    web.said = {url: {"secrets": (Secret("private key", 1),)} for url in urls}
    crawl = crawl_of(tmp_path, clock, seeds=tuple(urls))
    run(crawl, web, clock)
    with closing(crawl.store) as store, store.engine.begin() as connection:
        found = [*folder_rules.judge_quarantine(connection, [], NOW)]
        assert [(one.subject, one.is_wrong) for one in found] == [
            ("http://a.example", True),
            ("http://b.example", True),
        ]
        assert found[0].message.startswith("2 pages have secrets and are not indexed: http://a.example/1 (")
        release_page(connection, urls[2], NOW)
        known = [Alert("q", "open", AlertKind.QUARANTINE, "http://b.example", NOW, None, "")]
        found = [*folder_rules.judge_quarantine(connection, known, NOW)]
        assert [(one.subject, one.is_wrong) for one in found][1:] == [("http://b.example", False)]


@pytest.mark.requirement(279)
def test_a_complaint_is_an_alarm_until_it_is_closed(tmp_path: Path) -> None:
    """One for each, so that the next one of the same host is told at once."""
    assert [*folder_rules.judge_complaints(tmp_path, [], NOW)] == []
    make_complaint(tmp_path, "https://a.example", "Too fast.\n" + "x" * 1_000, "me@a.example", NOW)
    make_complaint(tmp_path, "https://b.example", "Thanks.", "", NOW, pauses=False)
    with write_side(tmp_path, ALERTS) as ledger:
        first = record_findings(ledger, folder_rules.judge_complaints(tmp_path, [], NOW), (), NOW)
        assert [(one.status, one.subject) for one in first] == [
            ("open", "complaint 1"),
            ("open", "complaint 2"),
        ]
        assert first[0].message.startswith(
            "The owner of https://a.example (me@a.example) complains: Too fast."
        )
        assert len(first[0].message) < 400
        assert "scrapy complaints --close 1 --answer" in first[0].advice
        known = load_open(ledger)
        again = folder_rules.judge_complaints(tmp_path, known, NOW + 60)
        assert record_findings(ledger, again, (), NOW + 60) == []
        close_complaint(tmp_path, 1, "", NOW + 90)
        over = record_findings(
            ledger, folder_rules.judge_complaints(tmp_path, known, NOW + 120), (), NOW + 120
        )
    assert [(one.status, one.subject) for one in over] == [("over", "complaint 1")]
