"""Serves real web sites: HTML documentation of Debian packages, by nginx on loopback.

python -m benchmarks.sites fetch DIR PACKAGE ...   download what is not there, unpack each into DIR
python -m benchmarks.sites serve DIR PACKAGE ...   serve each on an address of its own, until Ctrl-C
"""

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instruments.row import report_progress
from benchmarks.packages import fetch_packages
from engine.command import EXIT_MISUSE
from engine.errors import EngineError

ROOT = Path(__file__).parent.parent
FETCHED = ROOT / "build" / "sites"  # where packages are, if no folder is named
START_SECONDS = 5.0  # nginx answers in some 20 ms
Address = tuple[str, int]  # host and port
STDERR = 2  # the file descriptor; what others print must not get between the rows

# The path to start a crawl from.
_START = {
    "python3.11-doc": "usr/share/doc/python3.11/html/index.html",
    "apache2-doc": "usr/share/doc/apache2-doc/manual/en/index.html",
    "debian-handbook": "usr/share/doc/debian-handbook/html/en-US/index.html",
    "git-doc": "usr/share/doc/git/html/index.html",
    "openjdk-17-doc": "usr/share/doc/openjdk-17-jre-headless/api/index.html",
    "python-django-doc": "usr/share/doc/python-django-doc/html/index.html",
    "python-sqlalchemy-doc": "usr/share/doc/python-sqlalchemy-doc/html/index.html",
    "libboost1.81-doc": "usr/share/doc/libboost1.81-doc/",
}
_ANYWHERE = "usr/share/doc/"

_NGINX = """\
daemon off; worker_processes 1; pid {run}/pid; error_log {run}/error.log; {user}
events {{ worker_connections 1024; }}
http {{
  include /etc/nginx/mime.types; access_log off;
  client_body_temp_path {run}; proxy_temp_path {run}; fastcgi_temp_path {run};
  uwsgi_temp_path {run}; scgi_temp_path {run};
  {servers}
}}
"""


@dataclass(frozen=True, slots=True)
class Site:
    """One unpacked package."""

    package: str
    root: Path

    @property
    def start(self) -> str:
        """The path, below the root, to start a crawl from."""
        return _START.get(self.package, _ANYWHERE)


def unpacked(folder: Path | None, packages: Sequence[str]) -> list[Site]:
    """The packages in a folder, None = fetched when they are not there. Raises EngineError in words."""
    if folder is None:
        folder = FETCHED
        fetch_packages(folder, packages)
    for package in packages:
        if not (folder / package).is_dir():
            raise EngineError(
                f"there is no {package} in {folder}: python -m benchmarks.sites fetch {folder} {package}"
            )
    return [Site(package, (folder / package).resolve()) for package in packages]


@contextmanager
def served(sites: Sequence[Site], log: Path | None = None) -> Iterator[list[str]]:
    """Serve each site on a loopback address of its own; gives their start pages. Raises EngineError."""
    # An address each, because not everybody takes two ports for two hosts.
    addresses = [free_address(f"127.9.{n}.1") for n in range(1, len(sites) + 1)]
    servers = (
        f'server {{ listen {host}:{port}; root "{site.root}"; autoindex on; access_log {log or "off"}; }}'
        for site, (host, port) in zip(sites, addresses, strict=True)
    )
    with nginx("\n  ".join(servers), addresses):
        yield [
            f"http://{host}:{port}/{site.start}" for site, (host, port) in zip(sites, addresses, strict=True)
        ]


@contextmanager
def nginx(servers: str, addresses: Sequence[Address]) -> Iterator[None]:
    """Run nginx with these blocks of its configuration, which listen there. Raises EngineError."""
    if not shutil.which("nginx"):
        raise EngineError("nginx is missing (Debian package nginx-light): it serves the sites")
    with TemporaryDirectory() as run:
        config = Path(run, "nginx.conf")
        config.write_text(_config(run, servers), encoding="utf-8")
        server = subprocess.Popen(["nginx", "-e", f"{run}/error.log", "-c", str(config)], stderr=STDERR)
        try:
            for address in addresses:
                await_server(address, server)
            yield
        finally:
            server.terminate()
            server.wait()


def _config(run: str, servers: str) -> str:
    user = "user root;" if os.geteuid() == 0 else ""  # else its worker could not read a user's folder
    return _NGINX.format(run=run, user=user, servers=servers)


def free_address(host: str) -> Address:
    """An address of this host that nobody listens on."""
    with socket.create_server((host, 0)) as listener:
        return host, listener.getsockname()[1]


def await_server(address: Address, server: subprocess.Popen[bytes], seconds: float = START_SECONDS) -> None:
    """Return once somebody answers there. Raises EngineError when nobody does in time."""
    for _ in range(int(seconds / 0.02)):
        if server.poll() is not None:
            break
        try:
            socket.create_connection(address, timeout=seconds).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise EngineError(f"nothing answers on {address[0]}:{address[1]}; see the messages above")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetches or serves packages; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sites",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=["fetch", "serve"])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help=f"such as {', '.join(_START)}")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.what == "fetch":
            fetch_packages(chosen.folder, chosen.packages)
        else:
            _serve(unpacked(chosen.folder, chosen.packages))
    except EngineError as error:
        report_progress(f"sites: {error}")
        return EXIT_MISUSE
    return 0


def _serve(sites: Sequence[Site]) -> None:
    """Tell each site's start page, and serve them until Ctrl-C."""
    with served(sites) as starts, suppress(KeyboardInterrupt):
        for site, start in zip(sites, starts, strict=True):
            print(site.package, start, flush=True)
        signal.pause()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # nginx ends, too
    sys.exit(main())
