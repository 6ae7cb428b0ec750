"""`make machines`: a PostgreSQL server, two crawls and two search pages, as one script starts them."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from engine.crawl.pending import BATCH_VISITS
from engine.settings import CONCURRENT_REQUESTS
from tests.conftest import ROOT
from tests.postgresql import kill_tree
from tests.running import until
from tests.walk.machines import QUERIES, SECONDS, Trial, check_answers, first_ten, trial

pytestmark = [pytest.mark.postgresql, pytest.mark.slow, pytest.mark.timeout(300)]
PASSWORD = "eight legs and eyes"


@pytest.fixture(scope="module")
def crawled() -> Iterator[Trial]:
    """Both crawls have ended, both pages answer."""
    with trial() as running:
        for machine in ("one", "two"):
            running.await_words(f"The crawl of machine {machine} ended with exit code 0")
        yield running


@pytest.mark.requirement(26, 273)
def test_both_pages_answer_alike(crawled: Trial) -> None:
    check_answers(crawled)


@pytest.mark.requirement(273)
def test_hosts_are_asked_by_both_and_for_nothing_twice(crawled: Trial) -> None:
    assert crawled.askers() == {"one", "two"}
    assert crawled.repeated() == {}


@contextmanager
def logged_in(page: str) -> Iterator[httpx.Client]:
    """A browser of the operator; it sends its cookies to all ports of the machine, as browsers do."""
    with httpx.Client(headers={"Sec-Fetch-Site": "same-origin"}, trust_env=False) as client:
        assert client.post(f"{page}/admin/login", data={"password": PASSWORD}).status_code == 303
        yield client


def is_answered(client: httpx.Client, url: str) -> bool:
    return client.get(url).status_code == 200


def test_one_password_and_one_login_for_both(crawled: Trial) -> None:
    crawled.scrapy("one", "passwd", typed=f"{PASSWORD}\n")
    for own, other in (crawled.pages, crawled.pages[::-1]):
        with logged_in(own) as client:
            assert client.get(f"{other}/admin").status_code == 200


def test_the_server_is_killed_and_started_again(crawled: Trial) -> None:
    """Searches are answered all the time; the operator's pages say when to come again, and are back."""
    crawled.scrapy("two", "passwd", typed=f"{PASSWORD}\n")
    with logged_in(crawled.pages[0]) as client:
        marker = crawled.data / "server/postmaster.pid"
        kill_tree(int(marker.read_text().split()[0]))
        marker.unlink()  # where nobody buries it, as in a container, it seems to live
        until(lambda: not any("postgres" in name for name in crawled.processes()), "the end of all of it")
        for page in crawled.pages:
            began = time.monotonic()
            answer = client.get(f"{page}/admin")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert time.monotonic() - began < 2
            assert first_ten(page, "wolf spiders")
        (again,) = re.findall("once it was killed: (.*)", crawled.said())
        subprocess.run(again, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for page in crawled.pages:
            until(partial(is_answered, client, f"{page}/admin"), "the server is back", 10)


@pytest.mark.requirement(25, 276)
def test_one_crawl_is_killed_and_the_other_finishes(crawled: Trial) -> None:
    """All pages are found; only what was under way is asked again. A rebuild makes both pages answer."""
    with trial() as running:
        running.await_words("Stop all with Ctrl-C")
        until(lambda: running.askers() == {"one", "two"}, "requests of both", SECONDS)
        (crawl,) = re.findall(r"Machine one: .* \(process (\d+)\)", running.said())
        os.kill(int(crawl), signal.SIGKILL)
        running.await_words("The crawl of machine one ended with exit code 137")
        running.await_words("The crawl of machine two ended with exit code 0")
        counts = [one.status("two") for one in (running, crawled)]
        assert [counts[0][name] for name in ("pages", "indexed", "queued", "missing")] == [
            counts[1][name] for name in ("pages", "indexed", "queued", "missing")
        ]
        assert running.repeated().total() <= CONCURRENT_REQUESTS + BATCH_VISITS
        running.scrapy("one", "rebuild")
        for words, page in QUERIES:
            for address in running.pages:
                assert first_ten(address, words)[0] == running.url(page)


def test_it_may_be_stopped_at_once() -> None:
    with trial() as running:
        running.await_words("The index lies in each machine's folder. For one in a cluster: ")


@pytest.mark.parametrize(
    ("program", "text", "said"),
    [
        ("readlink", "echo /nowhere/initdb", "PostgreSQL is not installed: install"),
        ("python", "exit 1", "run 'make postgresql'"),
    ],
)
def test_what_is_missing_is_one_line(tmp_path: Path, program: str, text: str, said: str) -> None:
    fake = tmp_path / program
    fake.write_text(f"#!/bin/sh\n{text}\n")
    fake.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "BIN": str(tmp_path)}
    line = ["bash", str(ROOT / "deploy/machines")]
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
