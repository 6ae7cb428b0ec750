"""Goes through archives for the first time: which captures are there, and which of them are imported."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.archive.archived_robots import interpret_robots_txt
from engine.archive.capture_index import ArchivedRobotsTxt, CaptureIndex
from engine.archive.fetches import unpack_robots_txt
from engine.config import Config
from engine.errors import PageError
from engine.robots import MAX_ROBOTS_BYTES, Verdict
from engine.text.documents import UNTYPED, parse_media_type
from engine.url import MAX_URL_LENGTH, Aliases, canonicalize, host_of
from engine.warc import DAMAGED, REVISIT, TOO_LARGE, Capture, OpenCapture, names_duplicates, read_captures

REDIRECTS = frozenset({301, 302, 303, 307, 308})
GONE = frozenset({404, 410})


class CaptureSelection:
    """Adds those captures to an index that may be imported, and counts why others are not.

    `until`: seconds since 1970; later captures are left out.
    """

    def __init__(self, index: CaptureIndex, config: Config, aliases: Aliases, until: float) -> None:
        self._index, self._aliases, self._until = index, aliases, until
        self._types, self._policy = config.types, config.robots
        self.skipped: Counter[str] = Counter()

    def add_files(self, files: Sequence[Path], report: Callable[[int, int], None]) -> None:
        """Goes through files; `report` is told at which byte of which of them it is. Raises EngineError."""
        for number, path in enumerate(files):
            counts = Counter[str]()
            unnamed = "" if names_duplicates(path) else None
            for opened in read_captures(path, counts):
                self._add(number, opened, unnamed)
                report(number, opened.offset)
            for kind in (DAMAGED, TOO_LARGE):
                if counts[kind]:
                    self.skipped[f"{kind} in {path}"] = counts[kind]

    def _add(self, file: int, opened: OpenCapture, unnamed: str | None) -> None:
        """Adds a capture; `unnamed` is what it means that one names no page as its original."""
        capture = opened.capture
        try:
            url = self._settle(capture.url)
            refers_to = self._settle(capture.refers_to) if capture.kind == REVISIT else url
        except ValueError:
            self.skipped["no usable URL"] += 1
            return
        if url == f"{host_of(url)}/robots.txt":
            self._add_robots(url, opened)
        elif capture.at > self._until:
            self.skipped["captured later"] += 1
        elif why := find_refusal(capture, self._types):
            self.skipped[why] += 1
        else:
            self._index.add(url, file, capture, refers_to, self._find_original(capture, url, unnamed))

    def _find_original(self, capture: Capture, url: str, unnamed: str | None) -> str | None:
        """Finds the URL that a capture names as its original; None where that is no other, or not usable."""
        if not capture.duplicate_of:
            return unnamed
        try:
            original = self._settle(capture.duplicate_of)
        except ValueError:
            return None
        return original if original != url else None

    def _settle(self, written: str) -> str:
        url = self._aliases.resolve(canonicalize(written))
        if len(url) > MAX_URL_LENGTH:
            raise ValueError("too long")
        return url

    def _add_robots(self, url: str, opened: OpenCapture) -> None:
        """Adds a robots.txt, unless it was redirected, or not to be had: then an earlier one holds."""
        capture = opened.capture
        if capture.kind == REVISIT or capture.status in range(300, 400):
            return
        try:
            body = opened.read_body(MAX_ROBOTS_BYTES)
            body = unpack_robots_txt(body, capture.headers, MAX_ROBOTS_BYTES + 1)
        except (OSError, PageError):
            return
        found = ArchivedRobotsTxt(capture.at, capture.status, body)
        if interpret_robots_txt(found, self._policy).verdict is not Verdict.DEFER:
            self._index.add_robots(host_of(url), found)


def find_refusal(capture: Capture, types: frozenset[str]) -> str:
    """Finds why a capture is not imported, '' for one that is: a page, a redirect, or that there is none."""
    if capture.kind == REVISIT or capture.status in REDIRECTS | GONE:
        return ""
    if capture.status not in (200, 203):
        return "other answers than 200"
    media_type = parse_media_type(capture.header("content-type"))
    return "" if media_type in types | UNTYPED | {""} else "types that are not read"
