"""Counts the source files that one URL passes from seed to hit: `python -m benchmarks.crossing [CHECKOUT]`.

One page is crawled by the real command and found through the real server. Per process, in this order:
the crawl, its readers, the follower, the search page from the request on. A file is entered where a function
is called for the first time and the function before it was of another file: a person reads each once.
Returns are entries into a file that was left before.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.request import urlopen

from benchmarks.instruments import call_trace
from benchmarks.instruments.row import Row, report_progress
from benchmarks.sites import ROOT
from engine.errors import EngineError

WORD = "tarantula"
PAGE = (
    f"<!doctype html><title>A {WORD}</title><main><h1>A {WORD}</h1><p>It spins no web. {'Word. ' * 50}</main>"
)
PATIENCE_SECONDS = 30  # for a server to come up
START_SECONDS = 5  # from its line to its first answer; nothing may be asked before, or threads would be there
SIGNAL_SECONDS = 0.5  # until a handler has run
_LINE = re.compile(rf"{call_trace.MARK} (\d+) (\S+) (\S+)$", re.MULTILINE)


class _OnePage(BaseHTTPRequestHandler):
    """A site of one page, which has no robots.txt and no sitemap."""

    def do_GET(self) -> None:
        """The page, or 404."""
        body = PAGE.encode() if self.path == "/" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def rows(checkout: Path) -> Iterator[Row]:
    """Files and returns of one checkout. Raises EngineError where the page is not found."""
    entered = [path for path, _ in groupby(path for _, path, _ in trace(checkout))]
    yield Row("crossing.files", len(set(entered)))
    yield Row("crossing.returns", len(entered) - len(set(entered)))


def trace(checkout: Path) -> list[tuple[str, str, str]]:
    """Process, file and function of each first call, process by process."""
    with TemporaryDirectory() as made, _one_page() as seed:
        data = Path(made, "data")
        environment = _environment(Path(made), checkout)
        options = ["-s", f"DATA_DIR={data}", "-s", f"CRAWL_TOML={data}.toml"]
        crawl = [
            sys.executable,
            "-m",
            "scrapy",
            "crawl",
            "web",
            "-a",
            f"seeds={seed}",
            "-a",
            "own=1",
            *options,
        ]
        # By a pipe: a confined reader may write to no file.
        done = subprocess.run(
            crawl, cwd=checkout, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        crawled = done.stdout.decode("utf-8", "replace")
        served = _served(checkout, environment, options, Path(made, "log"))
    return _LINE.findall(_by_process(crawled)) + _LINE.findall(served)


def _by_process(log: str) -> str:
    """The lines of each process together, in the order in which they began."""
    lines = [(found[1], found[0]) for found in _LINE.finditer(log)]
    order = list(dict.fromkeys(process for process, _ in lines))
    return "\n".join(line for _, line in sorted(lines, key=lambda line: order.index(line[0])))


def _served(checkout: Path, environment: dict[str, str], options: Sequence[str], log: Path) -> str:
    """The trace of one query in the search page. Raises EngineError where it does not find the page."""
    command = [sys.executable, "-m", "scrapy", "serve", "--port", "0", *options]
    environment = {**environment, call_trace.FROM: "signal", "PYTHONUNBUFFERED": "1"}
    with (
        log.open("wb") as written,
        subprocess.Popen(command, cwd=checkout, env=environment, stdout=written, stderr=written) as server,
    ):
        try:
            address = _listening(log)
            time.sleep(START_SECONDS)
            server.send_signal(signal.SIGUSR1)
            time.sleep(SIGNAL_SECONDS)
            with urlopen(f"{address}/search?q={WORD}", timeout=PATIENCE_SECONDS) as answer:
                found = json.dumps(answer.read().decode())
        finally:
            server.terminate()
    if found.count(WORD) < 3:
        raise EngineError("the page was not found; this checkout cannot be traced")
    return log.read_text(encoding="utf-8", errors="replace")


def _listening(log: Path) -> str:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if said := re.search(r"http://[\d.]+:\d+", log.read_text(encoding="utf-8", errors="replace")):
            return said[0]
        time.sleep(SIGNAL_SECONDS)
    raise EngineError("the search page does not answer; this checkout cannot be traced")


def _environment(made: Path, checkout: Path) -> dict[str, str]:
    """That of a traced process: the tracer as `sitecustomize`, and an interpreter that hands it on."""
    made.joinpath("sitecustomize.py").write_bytes(Path(call_trace.__file__).read_bytes())
    shim = made / "python"
    traced = {
        call_trace.ROOT: str(checkout),
        call_trace.SHIM: str(shim),
        "PYTHONPATH": f"{made}{os.pathsep}{checkout}",
    }
    shim.write_text(
        "#!/bin/sh\n"
        + "".join(f"export {name}='{value}'\n" for name, value in traced.items())
        + f'exec {sys.executable} "$@"\n',
        encoding="utf-8",
    )
    shim.chmod(0o700)
    return {**os.environ, **traced}


@contextmanager
def _one_page() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _OnePage)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rows; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.crossing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("checkout", type=Path, nargs="?", default=ROOT, metavar="CHECKOUT")
    checkout = parser.parse_args(arguments).checkout.resolve()
    report_progress(f"one URL through {checkout.name}")
    for row in rows(checkout):
        print(row.line())
    return 0


if __name__ == "__main__":
    sys.exit(main())
