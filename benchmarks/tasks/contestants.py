"""Search pages as people meet them, each as its own manual sets it up, all behind one nginx.

nginx packs what it sends (gzip) for each of them, and notes the bytes of every answer that belongs to
a search page; what browsers, their workers and their caches do needs no watching then.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.instruments.row import report_progress
from benchmarks.sites import ROOT, STDERR, Address, Site, await_server, free_address, nginx
from benchmarks.tasks.corpus import copy_corpus
from engine.errors import EngineError

LYCOSA, PAGEFIND, OMEGA = "lycosa", "pagefind", "omega"
SERVE_SECONDS = 60.0  # until `scrapy serve` answers, on a busy machine
OMEGA_CGI = Path("/usr/lib/cgi-bin/omega/omega")  # Debian's place
OMEGA_TEMPLATES = Path("/var/lib/xapian-omega/templates")
LANGUAGES = ("en", "ru")  # in which Pagefind, which keeps an index for each, has a page

_SERVERS = """\
log_format sent '$bytes_sent';
  gzip on; gzip_types text/css application/javascript application/json;
  server {{
    listen {ours}; access_log {run}/lycosa.log sent;
    location / {{
      proxy_pass http://{behind}; proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_set_header Connection "";
    }}
  }}
  server {{
    listen {pages}; root {run}/pages;
    location /pagefind/ {{ root {run}; access_log {run}/pagefind.log sent; }}
    location /find/ {{ root {run}; access_log {run}/pagefind.log sent; }}
    location /images/ {{ alias /usr/share/images/; access_log {run}/omega.log sent; }}
    location /cgi-bin/omega {{
      include /etc/nginx/fastcgi_params; fastcgi_pass unix:{run}/cgi; access_log {run}/omega.log sent;
      fastcgi_param SCRIPT_FILENAME {cgi}; fastcgi_param OMEGA_CONFIG_FILE {run}/omega.conf;
    }}
  }}"""
_PAGEFIND_PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Search</title>
<link href="/pagefind/pagefind-ui.css" rel="stylesheet">
<script src="/pagefind/pagefind-ui.js"></script>
<div id="search"></div>
<script>
window.addEventListener("DOMContentLoaded", () => {{
  new PagefindUI({{ element: "#search", showSubResults: true, autofocus: true }});
}});
</script>
"""


class Contestant(NamedTuple):
    """A search page and the places on it, as CSS selectors; "" where it has no such thing."""

    name: str
    address: str  # {language} stands for the person's language
    log: Path  # a line with the bytes of each answer
    box: str
    hit: str
    link: str  # inside a hit
    submits: bool = True  # hits come with the Enter key, else while typing
    more: str = ""  # shows more hits
    mended: str = ""  # "did you mean"
    option: str = ""  # a completion under the box
    next_hit: str = "Tab"  # the key that leads from link to link


class Contest(NamedTuple):
    """Who is there, and what the addresses of the pages begin with."""

    contestants: Sequence[Contestant]
    begin: str


@contextmanager
def open_contest(site: Site | None, run: Path, peers: Sequence[str] = (PAGEFIND, OMEGA)) -> Iterator[Contest]:
    """Lycosa, then the peers that are installed, over the same pages. Raises EngineError."""
    (run / "pages").mkdir()
    paths = copy_corpus(site, run / "pages")
    ours, behind, pages = free_address("127.9.1.1"), free_address("127.0.0.1"), free_address("127.9.2.1")
    there = [peer for peer in peers if _is_there(peer)]
    for peer in there:
        report_progress(f"indexing {len(paths)} pages with {peer}")
        _INDEX[peer](run)
    begin = f"http://{_authority(pages)}/"
    servers = _SERVERS.format(
        ours=_authority(ours), behind=_authority(behind), pages=_authority(pages), run=run, cgi=OMEGA_CGI
    )
    with ExitStack() as stack:
        stack.enter_context(nginx(servers, [ours, pages]))
        if OMEGA in there:
            stack.enter_context(_running(["fcgiwrap", "-s", f"unix:{run}/cgi"]))
        report_progress(f"crawling {len(paths)} pages with Lycosa")
        _crawl(run, [begin + path for path in paths])
        server = stack.enter_context(_running(_scrapy(run, "serve", "--port", str(behind[1]))))
        await_server(behind, server, SERVE_SECONDS)
        known = _contestants(run, f"http://{_authority(ours)}/", begin)
        yield Contest([known[name] for name in (LYCOSA, *there)], begin)


def _contestants(run: Path, ours: str, begin: str) -> dict[str, Contestant]:
    return {
        LYCOSA: Contestant(
            LYCOSA,
            ours,
            run / "lycosa.log",
            box="#q",
            hit=".hit",
            link="h2 a",
            mended=".note a[href^='/search']",
            option="[role=option]",
            next_hit="ArrowDown",
        ),
        PAGEFIND: Contestant(
            PAGEFIND,
            begin + "find/{language}.html",
            run / "pagefind.log",
            box=".pagefind-ui__search-input",
            hit=".pagefind-ui__result",
            link=".pagefind-ui__result-link",
            submits=False,
            more=".pagefind-ui__button",
        ),
        OMEGA: Contestant(
            OMEGA,
            begin + "cgi-bin/omega",
            run / "omega.log",
            box="input[name=P]",
            hit="tr",
            link="b a",
            mended="a[href*='SPELL=0']",
        ),
    }


def _is_there(peer: str) -> bool:
    """Says what to install when it is not."""
    if peer == PAGEFIND and not find_spec("pagefind"):
        report_progress(
            "pagefind is missing, so it is left out: pip install -c constraints.txt -e '.[bench]'"
        )
        return False
    if peer == OMEGA and not (shutil.which("omindex") and shutil.which("fcgiwrap") and OMEGA_CGI.exists()):
        report_progress("Omega is missing, so it is left out (Debian packages xapian-omega and fcgiwrap)")
        return False
    return True


def _index_pagefind(run: Path) -> None:
    places = ["--site", str(run / "pages"), "--output-path", str(run / "pagefind")]
    _run([sys.executable, "-m", "pagefind", "--quiet", *places])
    (run / "find").mkdir()
    for language in LANGUAGES:
        page = _PAGEFIND_PAGE.format(language=language)
        (run / "find" / f"{language}.html").write_text(page, encoding="utf-8")


def _index_omega(run: Path) -> None:
    """With spelling, for its page offers it. Its configuration has the places alone."""
    for name in ("omega", "log"):
        (run / name).mkdir()
    lines = {"database_dir": run / "omega", "template_dir": OMEGA_TEMPLATES, "log_dir": run / "log"}
    text = "".join(f"{name} {place}\n" for name, place in lines.items())
    (run / "omega.conf").write_text(text, encoding="utf-8")
    database = str(run / "omega" / "default")
    _run(["omindex", "--spelling", "--db", database, "--url", "/", str(run / "pages")])


_INDEX = {PAGEFIND: _index_pagefind, OMEGA: _index_omega}


def _crawl(run: Path, urls: Sequence[str]) -> None:
    (run / "urls").write_text("\n".join(urls), encoding="utf-8")
    seeds = ["-a", f"seeds={run / 'urls'}", "-a", "own=1"]
    _run(_scrapy(run, "crawl", "web", *seeds, "-s", "LOG_LEVEL=ERROR"))


def _scrapy(run: Path, *words: str) -> list[str]:
    places = ["-s", f"DATA_DIR={run / 'data'}", "-s", f"CRAWL_TOML={run / 'none.toml'}"]
    return [sys.executable, "-m", "scrapy", *words, *places]


def _run(command: Sequence[str]) -> None:
    if code := subprocess.run(command, cwd=ROOT, stdout=STDERR).returncode:
        raise EngineError(f"{command[0]} failed with exit code {code}; what it said stands above")


@contextmanager
def _running(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=ROOT, stdout=STDERR)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _authority(address: Address) -> str:
    return f"{address[0]}:{address[1]}"
