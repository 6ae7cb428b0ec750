"""What `make run` says before it starts anything."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("given", "config", "says", "why"),
    [
        ({}, "", "tell the owner who crawls", "in the words of make, before a search page is there"),
        ({"CONTACT": "you@h.example"}, "", "serve", "it is told"),
        ({"OWN": "1"}, "", "serve", "nobody else is to be told"),
        ({}, 'contact = "you@h.example"', "serve", "the operator's file may tell it"),
    ],
)
def test_who_crawls(tmp_path: Path, given: dict[str, str], config: str, says: str, why: str) -> None:
    """A program that stands for scrapy tells how it was called."""
    (tmp_path / "scrapy").write_text('#!/bin/sh\necho "$1" >&2\nexit 2\n')
    (tmp_path / "scrapy").chmod(0o755)
    if config:
        (tmp_path / "crawl.toml").write_text(config)
    told = {"BIN": ".", "PORT": "1", "WEB_PORT": "1", "CONTACT": "", "OWN": "", "URL": "http://h.example/"}
    done = subprocess.run(
        ["bash", ROOT / "deploy/run"],
        cwd=tmp_path,
        env=os.environ | told | given,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2, why
    assert says in done.stderr, why
    assert len(done.stderr.splitlines()) == 1, why
