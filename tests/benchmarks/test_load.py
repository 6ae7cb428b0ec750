"""The benchmark of the search page under load: its visitors, its figures, and that it runs."""

import asyncio
import gzip
import json
import random
import socket
import time
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks import load
from benchmarks.__main__ import main
from benchmarks.corpora import visitors
from benchmarks.corpora.visitors import MAX_SECONDS, TimedRequest, draw_arrivals, find_fault, send_requests
from tests.benchmarks.generated import PACKAGE, make_site

PAGE = b"HTTP/1.1 200 OK\r\n\r\n"
ZIPPED = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
NAMES = [
    *(f"load.page.{name}" for name in ("p50", "p95", "p99", "max", "errors")),
    *(f"load.info.{name}" for name in ("pages", "kb", "health_p99", "cpu_ms", "crawled", "machine")),
]


def test_people_come_when_they_like() -> None:
    moments = list(draw_arrivals(100, 60, random.Random(1)))
    assert moments == sorted(moments)
    assert 0 < moments[0] < moments[-1] < 60
    assert 5_500 < len(moments) < 6_500, "100 a second on average"
    gaps = [after - before for before, after in pairwise(moments)]
    assert sum(gap < 0.007 for gap in gaps) / len(gaps) == pytest.approx(0.5, abs=0.05), (
        "often close together"
    )


@pytest.mark.parametrize(
    ("answer", "wrong", "why"),
    [
        (PAGE + b"a page", "", "as it is"),
        (ZIPPED + gzip.compress(b"a page", mtime=0), "", "compressed"),
        (ZIPPED + gzip.compress(b"a page", mtime=0)[:-4], "cut short", "the end is missing"),
        (ZIPPED + b"a page", "cut short", "not what it says"),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", "HTTP/1.1 503", "the server says no"),
        (b"", "nothing came", "the server hung up"),
    ],
)
def test_a_wrong_answer_is_seen(answer: bytes, wrong: str, why: str) -> None:
    assert find_fault(answer) == wrong, why


def test_who_waits_to_be_heard_waits() -> None:
    """Time counts from when a request was due: of a server that sleeps all wait, not only the first."""
    asked = asyncio.run(_asked_of_a_sleeper(0.3))
    assert len(asked) > 5
    assert all(one.wrong == "" and one.size == len(PAGE) for one in asked)
    assert sum(one.seconds > 0.1 for one in asked) > 2


async def _asked_of_a_sleeper(seconds: float) -> list[TimedRequest]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if not slept:
            slept.append(True)
            time.sleep(seconds)  # the whole loop sleeps, and nobody is heard
        writer.write(PAGE)
        writer.close()

    slept: list[bool] = []
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        return await send_requests(server.sockets[0].getsockname()[1], ["/"], 50, seconds)


def test_who_is_not_answered_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, monkeypatch.context() as hasty:
        hasty.setattr(visitors, "MAX_SECONDS", 0.05)
        port = silent.getsockname()[1]
        late = asyncio.run(send_requests(port, ["/"], 50, 0.2))
    assert {one.wrong for one in late} == {"TimeoutError"}
    assert {one.wrong for one in asyncio.run(send_requests(port, ["/"], 50, 0.2))} == {
        "ConnectionRefusedError"
    }


def test_figures_are_of_all_that_was_asked() -> None:
    asked = [TimedRequest(number / 1000, 5_000) for number in range(1, 101)] + [
        TimedRequest(MAX_SECONDS, 0, "TimeoutError")
    ]
    rows = {row.name: row for row in load.compute_figures(asked)}
    assert rows["load.page.p50"].ours == 51
    assert rows["load.page.p99"].ours == 100
    assert rows["load.page.max"].ours == 10_000
    assert (rows["load.page.errors"].ours, rows["load.page.errors"].why) == (1, "TimeoutError")


def test_one_package_is_not_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, 1)
    assert main(["load", "--sites", str(tmp_path), "--packages", PACKAGE]) == 2
    assert "load needs two packages or more" in capsys.readouterr().err


def test_one_number_of_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, 1)
    assert main(["load", "--sites", str(tmp_path), "--packages", PACKAGE, "--workers", "1,2"]) == 2
    assert "load is measured with one number of workers" in capsys.readouterr().err


@pytest.mark.nginx
@pytest.mark.long
def test_a_short_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "WARMING", 2)
    monkeypatch.setattr(load, "SECONDS", 10)
    make_site(tmp_path, 40)
    (tmp_path / "other").symlink_to(tmp_path / PACKAGE)
    packages = ("--packages", PACKAGE, "other")
    assert main(["load", "--sites", str(tmp_path), *packages, "--workers", "2"]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert list(rows) == NAMES
    assert rows["load.page.errors"]["ours"] == 0
    assert 0 < rows["load.info.kb"]["ours"] < 30
