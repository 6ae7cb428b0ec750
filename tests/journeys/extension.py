"""The project of docs/extending.md as its files stand there, over a web on loopback."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT
from tests.running import END_SECONDS
from tests.web.scripted import Answer, Route, html, prose

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
FENCED = re.MULTILINE | re.DOTALL
FILES = re.findall(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", PAGE, FENCED)
ENTRY_POINTS = re.findall(r'^\[project.entry-points."([\w.]+)"\]\n(\w+) = "([\w.:]+)"$', PAGE, re.MULTILINE)
DOMAIN = "birds.example"
BODY = '<p class="species">{}</p><p class="description">{}</p>'


def bird_site() -> dict[str, Route]:
    """Birds, a draft, a page that is forbidden and one that is not to be indexed."""
    crane = BODY.format("Common crane", "Its trumpet call carries far over the moor.")
    heron = BODY.format("Grey heron", "It stands in shallow water and waits.")
    sighting = '<p class="sighting">Moor</p><p class="sighting">Lake</p>'
    return {
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /private", {"Content-Type": "text/plain"}),
        "/": html(
            "Birds", f'{prose("birds")}<a href="/crane">1</a><a href="/draft">2</a><a href="/private/x">3</a>'
        ),
        "/crane": html("Page 1", f'{crane}{sighting}{prose("around")}<button data-href="/heron">h</button>'),
        "/heron": html("Page 2", heron + prose("water")),
        "/draft": html("Draft of a page", prose("draft")),
        "/private/x": html("Private", prose("private")),
    }


class Project:
    """A project beside the clone, with its own data folder."""

    def __init__(self, folder: Path, site: str) -> None:
        self.folder = folder
        for name, text in FILES:
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            address = site.removeprefix("http://").rstrip("/")
            file.write_text(
                text.replace(f"https://{DOMAIN}", f"http://{address}").replace(
                    DOMAIN, address.partition(":")[0]
                ),
                encoding="utf-8",
            )
        (folder / "birds" / "__init__.py").touch()
        installed = folder / "birds-1.dist-info"  # as pip writes it
        installed.mkdir()
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: birds\nVersion: 1\n", "utf-8")
        offered = (f"[{group}]\n{name} = {value}\n" for group, name, value in ENTRY_POINTS)
        (installed / "entry_points.txt").write_text("".join(offered), "utf-8")
        (folder / "crawl.toml").write_text(
            'contact = "you@example.org"\nallow_private = ["127.0.0.1"]\n', encoding="utf-8"
        )

    def write(self, name: str, text: str) -> None:
        """Writes a file of the project."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def scrapy(
        self, *words: str, code: int = 0, env: Mapping[str, str] = {}
    ) -> subprocess.CompletedProcess[str]:
        """A command in the project's folder."""
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{self.folder}", **env},
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
            check=False,
        )
        assert done.returncode == code, done.stderr[-3000:] + done.stdout[-1000:]
        return done

    def crawl(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A crawl by the own spider; the birds' owner lets it ask once a second."""
        return self.scrapy("crawl", "birds", "-a", "profile=brisk", *words)
