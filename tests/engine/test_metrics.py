"""What Prometheus reads of a crawl: from what it left in the data folder, with bounded labels."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.alerts.alert import AlertKind, Finding
from engine.alerts.ledger import record_findings
from engine.config import Config, SiteConfig
from engine.database import ALERTS, CrawlDatabase, write_side
from engine.history import HISTORY
from engine.metrics import CrawlMetrics, Metric
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, step

OTHER = "http://other.example"


def measured(data: Path, now: float, *own: str) -> dict[str, float]:
    """All samples by name and labels."""
    config = Config(data, sites=(SiteConfig((*own, "seeds.txt"), own=True), SiteConfig((f"{OTHER}/",))))
    found: Sequence[Metric] = CrawlMetrics(config, CrawlDatabase(data))(now)
    return {
        f"{metric.name}{dict(labels) or ''}".replace("lycosa_", ""): value
        for metric in found
        for labels, value in metric.samples
    }


def test_without_a_crawl_there_are_alarms_alone(tmp_path: Path) -> None:
    found = measured(tmp_path, EPOCH)
    assert {name.partition("{")[0] for name in found} == {"alerts_open"}
    assert set(found.values()) == {0.0}
    assert not {HISTORY, ALERTS.file} & {path.name for path in tmp_path.iterdir()}, (
        "who only measures makes none"
    )


@pytest.mark.requirement(256)
def test_a_crawl_while_it_runs_and_after(tmp_path: Path) -> None:
    pages: dict[str, int | list[str]] = {f"{HOST}/": [f"{HOST}/{n}" for n in range(9)]}
    pages |= {f"{HOST}/{n}": [] if n else 500 for n in range(9)}
    web, clock = Web({**pages, f"{OTHER}/": []}), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=(f"{HOST}/", f"{OTHER}/"))
    crawl.recorder.open(tmp_path, crawl.run.round.number, 30, print)
    while crawl.counters.pages < 6:
        assert step(crawl, web, clock)
    crawl.commit()
    found = measured(tmp_path, clock.now, f"{HOST}/")
    assert found["crawl_processes"] == 1
    assert found["crawl_queued_urls"] > 0
    assert found["crawl_start_timestamp_seconds"] == EPOCH
    assert found["crawl_visits_total{'outcome': 'stored'}"] == 6
    while step(crawl, web, clock):
        pass
    crawl.close("finished")
    crawl.recorder.close()
    crawl.store.close()
    found = measured(tmp_path, clock.now + 3_600, f"{HOST}/")
    assert (found["crawl_processes"], found["crawl_queued_urls"]) == (0, 0)
    assert found["crawl_beat_timestamp_seconds"] == clock.now
    assert found["crawl_visits_total{'outcome': 'stored'}"] == 10
    assert found["crawl_visits_total{'outcome': 'errors'}"] == 1
    assert found["crawl_responses_total{'status': '200'}"] == 10
    assert found["crawl_responses_total{'status': '500'}"] == found[f"host_errors_total{{'host': '{HOST}'}}"]
    assert [name for name in found if "other.example" in name] == [], "a stranger's name is no label"


def test_open_alarms_by_kind(tmp_path: Path) -> None:
    with write_side(tmp_path, ALERTS) as ledger:
        hosts = [Finding(AlertKind.HOST_DOWN, host, True, EPOCH, "down") for host in "ab"]
        record_findings(ledger, hosts, (), EPOCH)
    found = measured(tmp_path, EPOCH)
    assert found["alerts_open{'kind': 'host-down'}"] == 2
    assert found["alerts_open{'kind': 'disk'}"] == 0
    assert "alerts_open{'kind': 'test'}" not in found


def test_a_folder_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    for name in ("crawl.db", "history.db", "alerts.db"):
        (tmp_path / name).write_bytes(b"no database" * 1_000)
    assert measured(tmp_path, EPOCH) == {}
