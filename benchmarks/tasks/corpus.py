"""The pages that all contestants search: the Python manual, and the small web in five languages."""

import re
import shutil
from pathlib import Path

from benchmarks.sites import ROOT, Site

FRIENDLY = ROOT / "tests" / "web" / "friendly"
MANUAL = "manual"
LEFT_OUT = ("_sources", "_downloads", "genindex*", "py-modindex.html", "contents.html", "search.html")
"""Of the manual: what is no page, and pages that only list the others."""
_ROOTED = re.compile(rb'href="/(?!/)')
_NEIGHBOUR = re.compile(rb"http://\{([a-z-]+)\}")


def copy_corpus(site: Site | None, folder: Path) -> list[str]:
    """Copy the pages, the small web's hosts as folders of one; the paths of all, from the folder."""
    if site:
        shutil.copytree(
            (site.root / site.start).parent,
            folder / MANUAL,
            ignore=shutil.ignore_patterns(*LEFT_OUT),
            ignore_dangling_symlinks=True,
        )
    for file in FRIENDLY.glob("*/**/*.html"):
        path = file.relative_to(FRIENDLY)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(_moved(file.read_bytes(), path.parts[0].encode()))
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))


def _moved(page: bytes, host: bytes) -> bytes:
    return _NEIGHBOUR.sub(rb"/\1", _ROOTED.sub(b'href="/' + host + b"/", page))
