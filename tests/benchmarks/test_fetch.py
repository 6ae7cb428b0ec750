"""The spider that only fetches has all that our downloader asks of one."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.middleware.in_flight import MAX_BYTES
from tests.conftest import ROOT
from tests.web.private import private_pages
from tests.web.scripted import Route, Site, html


def test_pages_are_fetched_and_counted(tmp_path: Path) -> None:
    with Site(private_pages(5)) as site:
        figures = fetch(tmp_path, [site.url(path) for path in site.routes])
        assert sorted(site.paths) == sorted(site.routes)
    assert figures["pages"] == len(site.routes)
    assert figures["cpu"] > 0


def test_bodies_make_room_for_others(tmp_path: Path) -> None:
    """A site of more bytes than may be in flight at once ends, too."""
    size = 4_000_000
    count = MAX_BYTES // size + 10
    with Site(big_pages(count, size)) as site:
        assert fetch(tmp_path, [site.url(path) for path in site.routes])["pages"] == count


def big_pages(count: int, size: int) -> dict[str, Route]:
    return {f"/{number}": html(str(number), "word " * (size // 5)) for number in range(count)}


def fetch(tmp_path: Path, urls: Sequence[str]) -> dict[str, float]:
    listed = tmp_path / "urls"
    listed.write_text("\n".join(urls), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.fetch", str(listed)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=120)
    found: dict[str, float] = json.loads(done.stdout)
    return found
