"""`scrapy serve --workers` under load: a worker is killed, all are renewed, all end, or their supervisor."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from tests.engine.index.source import Memory, corpus
from tests.running import WAIT_SECONDS, until
from tests.workers import Workers, get, load, serving_by

FEW = pytest.param(2, 6, id="2")
MANY = pytest.param(4, 24, id="4", marks=pytest.mark.long)
sizes = pytest.mark.parametrize(("workers", "clients"), [FEW, MANY])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workers")
    Follower(Memory(*corpus(40)), folder).catch_up()
    return folder


@pytest.mark.slow
@sizes
def test_a_killed_worker_loses_only_what_it_had(data: Path, workers: int, clients: int) -> None:
    with serving_by(data, workers) as service:
        for _ in range(clients // 6):
            with load(service.port, clients) as asking:
                victim = service.pids()[0]
                os.kill(victim, signal.SIGSTOP)  # so that what it has can be looked at
                had = service.ports_of(victim)
                answered = asking.answered
                until(lambda answered=answered: asking.answered > answered + clients, "the others")  # type: ignore[misc]
                os.kill(victim, signal.SIGKILL)
                until(lambda victim=victim: victim not in service.pids(), "its end")  # type: ignore[misc]
                until(lambda: len(service.pids()) == workers, "its successor")
                answered = asking.answered
                until(lambda answered=answered: asking.answered > answered + clients, "more answers")  # type: ignore[misc]
            assert {port: why for port, why in asking.failed.items() if port not in had} == {}
            assert asking.cut <= len(had)
        assert "was killed by SIGKILL; another starts in 0.1 s" in "".join(service.lines)


@pytest.mark.slow
@sizes
def test_a_renewal_loses_no_request(data: Path, workers: int, clients: int) -> None:
    with serving_by(data, workers) as service:
        before = service.pids()
        with load(service.port, clients) as asking:
            for _ in range(clients // 6):
                _renew(service)
        assert (asking.failed, asking.cut) == ({}, 0)
        assert not set(before) & set(service.pids())
        (data / "crawl.toml").write_text("[serve]\nburst = 'many'\n", encoding="utf-8")
        try:
            os.kill(service.supervisor.pid, signal.SIGHUP)
            until(lambda: "the workers go on as they are" in "".join(service.lines), "the mistake to be told")
            now = service.pids()
        finally:
            (data / "crawl.toml").unlink()
        assert len(now) == workers
        assert service.supervisor.poll() is None


def _renew(service: Workers) -> None:
    before = service.pids()
    os.kill(service.supervisor.pid, signal.SIGHUP)
    until(lambda: not set(before) & set(service.pids()), "the old workers' end")
    until(lambda: len(service.pids()) == service.count, "the new ones")


@pytest.mark.slow
@sizes
def test_whoever_has_begun_to_answer_ends_it(data: Path, workers: int, clients: int) -> None:
    with serving_by(data, workers) as service, load(service.port, clients) as asking:
        service.supervisor.send_signal(signal.SIGTERM)
        assert service.supervisor.wait(WAIT_SECONDS) == 0
        assert asking.cut == 0
        assert service.pids() == []
    assert "Traceback" not in "".join(service.lines)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_kills_and_renewals_at_any_moment_leave_as_many_workers(data: Path, seed: int) -> None:
    """A worker may die while its successor starts, the successor, too, and a renewal may follow another."""
    dice = random.Random(seed)
    with serving_by(data, 3) as service:
        for _ in range(25):
            if dice.random() < 0.4:
                os.kill(service.supervisor.pid, signal.SIGHUP)
            elif pids := service.pids():
                with suppress(ProcessLookupError):
                    os.kill(dice.choice(pids), signal.SIGKILL)
            time.sleep(dice.choice((0.0, 0.02, 0.1, 0.3)))
        os.kill(service.supervisor.pid, signal.SIGHUP)
        until(lambda: _rests(service), "three workers")
        with service.one_each() as each:
            assert [get(connection, "/robot")[0] for connection in each] == [200] * 3


def _rests(service: Workers) -> bool:
    before = service.pids()
    time.sleep(1)
    return len(before) == service.count and service.pids() == before


@pytest.mark.slow
def test_workers_end_with_their_supervisor(data: Path) -> None:
    with serving_by(data, 2) as service:
        workers = service.pids()
        service.supervisor.kill()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "their end")


@pytest.mark.slow
def test_workers_that_die_at_once_are_replaced_ever_more_slowly(data: Path) -> None:
    with serving_by(data, 2) as service:
        for delay in ("0.1", "0.2", "0.4"):
            os.kill(service.pids()[0], signal.SIGKILL)
            until(lambda delay=delay: f"starts in {delay} s" in "".join(service.lines), delay)  # type: ignore[misc]
            until(lambda: len(service.pids()) == 2, "another")
        time.sleep(0.1)
        assert service.supervisor.poll() is None
