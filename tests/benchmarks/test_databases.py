"""What a crawl asks of its database, on a server and in a file: through the benchmark's own door."""

import json

import pytest

from benchmarks.__main__ import main

pytestmark = pytest.mark.postgresql


@pytest.mark.slow
def test_a_figure_for_each_limit(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["databases", "--database", database_url, "--urls", "10000"]
    assert main(arguments) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"].split(".")[1] for row in rows] == ["claim", "add", "commit"]
    assert all(row["ours"] > 0 and row["peer_value"] > 0 for row in rows)
    assert main(arguments) == 2
    assert "is not empty" in capsys.readouterr().err


def test_a_database_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["databases", "--urls", "10000"]) == 2
    assert "name an empty database" in capsys.readouterr().err
