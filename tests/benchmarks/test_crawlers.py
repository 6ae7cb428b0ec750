"""The benchmark of several crawls on one server, small: that all run, and keep the pauses of the hosts."""

import json

import pytest

from benchmarks.__main__ import main
from engine.frontier.politeness import PACES

pytestmark = pytest.mark.postgresql


@pytest.mark.long
def test_crawls_of_many_hosts_beside_one_with_a_file(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--database", database_url, "--workers", "1,2", "--hosts", "40", "--seconds", "12"]
    assert main(["crawlers", *options]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert list(rows) == ["crawlers.pages.1", "crawlers.pages.2", "crawlers.info.shortest_pause"]
    assert all(rows[f"crawlers.pages.{number}"]["ours"] > 0 for number in (1, 2))
    assert rows["crawlers.info.shortest_pause"]["ours"] >= PACES["polite"].pause


def test_it_needs_a_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crawlers"]) == 2
    assert "--database postgresql://" in capsys.readouterr().err
