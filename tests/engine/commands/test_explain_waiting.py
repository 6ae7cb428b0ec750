"""`scrapy explain URL` of a URL that waits: what its host does to be asked later."""

import json
import time
from pathlib import Path

import pytest

from engine.commands.explain import Command
from engine.database import write_transaction
from tests.crawling import HOST, Clock, Web, crawl_of, step
from tests.running import here


@pytest.mark.parametrize(
    ("answers", "wish", "says", "why"),
    [
        (
            {f"{HOST}/1": 503},
            "80000",
            "its host asks for no requests until 20",
            "a Retry-After that another URL brought",
        ),
        ({}, "", "3 of its pages took too long to read or too much memory", "pages that end their readers"),
        ({f"{HOST}/1": []}, "", "it is queued", "nothing keeps it but the command's end"),
    ],
)
def test_why_a_host_keeps_another_url_waiting(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    answers: dict[str, int | list[str]],
    wish: str,
    says: str,
    why: str,
) -> None:
    """A URL that was never asked has no reason of its own."""
    paths = [f"{HOST}/{n}" for n in range(1, 9)]
    headers = {f"{HOST}/1": [("retry-after", wish)]} if wish else {}
    web, clock = Web({f"{HOST}/": list(paths), **answers}, headers), Clock(time.time() - 60)
    crawl = crawl_of(tmp_path, clock)
    while f"{HOST}/1" not in web.asked():
        assert step(crawl, web, clock)
    if not answers:
        for path in paths[:3]:
            crawl.host_health._record_lethal(crawl.frontier.host_queues[HOST], path)
        with write_transaction(crawl.store.engine) as connection:
            crawl.host_health.record_visits(connection, [], crawl.run.id, clock())
    crawl.close("shutdown")
    crawl.store.close()
    assert here(Command(), tmp_path, paths[-1], "--json") == 0
    said = json.loads(capsys.readouterr().out)["next_visit"]
    assert said.startswith("as soon as its host may be visited: "), why
    assert says in said, why
