"""The spider that only fetches has all that our downloader asks of one."""

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.web.private import private_pages
from tests.web.scripted import Site


def test_pages_are_fetched_and_counted(tmp_path: Path) -> None:
    listed = tmp_path / "urls"
    with Site(private_pages(5)) as site:
        listed.write_text("\n".join(site.url(path) for path in site.routes), encoding="utf-8")
        command = [sys.executable, "-m", "benchmarks.fetch", str(listed)]
        figures = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
        assert sorted(site.paths) == sorted(site.routes)
    assert figures["pages"] == len(site.routes)
    assert figures["cpu"] > 0
