"""The friendly web: a folder of static pages for each of its hosts, served on loopback.

Pages name their neighbours as `http://{garden-en}/path`; the address takes the name's place as they are sent.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from tests.web.scripted import Answer, Request, Site, html

FRIENDLY = Path(__file__).parent / "friendly"
INDEX = "index.html"
REDIRECTS = "redirects.tsv"  # in the root folder; host/path TAB target
MEDIA_TYPES = {".html": "text/html", ".txt": "text/plain", ".xml": "application/xml", ".css": "text/css"}
NEIGHBOUR = re.compile(r"\{([a-z-]+)\}")


class Seen(NamedTuple):
    """One request that the friendly web got; `time` is `time.monotonic()` at its arrival."""

    host: str  # the folder's name
    method: str
    path: str
    user_agent: str
    time: float


class Folder(Site):
    """One host of the friendly web. The folder is looked at on each request, so a test may change it."""

    def __init__(self, folder: Path, neighbours: Mapping[str, str], place: tuple[str, int]) -> None:
        super().__init__({}, *place)
        self.folder = folder
        self.neighbours = neighbours  # folder name -> address, known once all hosts are up

    def answer(self, request: Request) -> Answer:
        """The file of that path; only what a walk through the folder finds can be asked for."""
        if request.method not in ("GET", "HEAD"):
            return html("Method not allowed", status=405)
        path = unquote(request.path.partition("?")[0])
        files = served(self.folder)
        if file := files.get(path):
            return self._document(file, request.headers)
        target = f"{path}/" if f"{path}/" in files else self._redirects().get(f"{self.folder.name}{path}")
        if target is None:
            return html("Not found", "<p>There is no such page here.</p>", status=404)
        return Answer(301, headers={"Location": target})

    def _document(self, file: Path, asked: Mapping[str, str]) -> Answer:
        """The file itself, or 304 when the client has it."""
        body, charset = self._read(file)
        modified = datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
        etag = f'"{sha256(body).hexdigest()[:16]}"'
        known = {"ETag": etag, "Last-Modified": format_datetime(modified, usegmt=True)}
        if is_current(asked, etag, modified):
            return Answer(304, headers=known)
        media_type = MEDIA_TYPES.get(file.suffix, "application/octet-stream")
        return Answer(200, body, {"Content-Type": media_type + charset, **known})

    def _read(self, file: Path) -> tuple[bytes, str]:
        """The bytes to send, and the charset to declare: none where the file is not UTF-8."""
        body = file.read_bytes()
        try:
            return self._addressed(body.decode()).encode(), "; charset=utf-8"
        except UnicodeDecodeError:
            return self._addressed(body.decode("latin-1")).encode("latin-1"), ""

    def _addressed(self, text: str) -> str:
        return NEIGHBOUR.sub(lambda name: self.neighbours.get(name[1], name[0]), text)

    def _redirects(self) -> dict[str, str]:
        table = self.folder.parent / REDIRECTS
        return dict(read_table(self._addressed(table.read_text()))) if table.exists() else {}


@dataclass(frozen=True, slots=True)
class FriendlyWeb:
    """The running hosts, in the order of their ports."""

    hosts: tuple[Folder, ...]

    @property
    def urls(self) -> dict[str, str]:
        """Folder name -> URL of its home page, with the slash at the end."""
        return {host.folder.name: host.url() for host in self.hosts}

    @property
    def seeds(self) -> list[str]:
        """The home page of every host."""
        return list(self.urls.values())

    @property
    def log(self) -> list[Seen]:
        """All requests so far, in the order of their arrival."""
        seen = (
            Seen(host.folder.name, ask.method, ask.path, ask.headers.get("user-agent", ""), ask.start)
            for host in self.hosts
            for ask in list(host.log)
        )
        return sorted(seen, key=lambda request: request.time)

    def url(self, page: str) -> str:
        """The URL of a page named as in `queries.tsv`: `host/path`."""
        host, _, path = page.partition("/")
        return f"{self.urls[host]}{path}"


@contextmanager
def friendly_web(root: Path = FRIENDLY, port: int = 0, *, apart: bool = False) -> Iterator[FriendlyWeb]:
    """Serve every folder of `root` as a host: on free ports, or from `port` upwards in the names' order.

    `apart`: each on a loopback address of its own, all of which only Linux has; crawls of several machines
    share hosts out by addresses. Raises OSError when a port is taken.
    """
    addresses: dict[str, str] = {}
    folders = sorted(folder for folder in root.iterdir() if folder.is_dir())
    with ExitStack() as running:
        hosts = tuple(
            running.enter_context(
                Folder(
                    folder, addresses, (f"127.0.4.{n + 1}" if apart else "127.0.0.1", port + n if port else 0)
                )
            )
            for n, folder in enumerate(folders)
        )
        addresses |= {host.folder.name: f"{host.address}:{host.port}" for host in hosts}
        yield FriendlyWeb(hosts)


def served(folder: Path) -> dict[str, Path]:
    """URL path -> file, for all files of a host; an index.html stands for its folder as well."""
    files = {f"/{file.relative_to(folder).as_posix()}": file for file in folder.rglob("*") if file.is_file()}
    return files | {path.removesuffix(INDEX): file for path, file in files.items() if file.name == INDEX}


def is_current(asked: Mapping[str, str], etag: str, modified: datetime) -> bool:
    """Whether the client's copy is good (RFC 9110, 13.2.2: If-None-Match goes before If-Modified-Since)."""
    if "if-none-match" in asked:
        return etag in asked["if-none-match"] or asked["if-none-match"] == "*"
    try:
        return modified <= parsedate_to_datetime(asked.get("if-modified-since", ""))
    except (ValueError, TypeError):  # no date, or one without a zone: as if not asked
        return False


def read_table(text: str) -> list[list[str]]:
    """The rows of a tab-separated table."""
    return [line.split("\t") for line in text.splitlines() if line]
