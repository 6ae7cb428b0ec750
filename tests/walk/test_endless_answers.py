"""A crawl of answers without end stays small."""

import re
from collections.abc import Iterable
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.crawling import states
from tests.engine.middleware.endless import ENDLESS, NO_HTTP, PIECE, TOO_LARGE, some
from tests.running import running, until
from tests.web.scripted import Answer, Route, anchors, html, prose, scripted_web


class Endless(Answer):
    """An answer that is sent piece by piece, head and all, for as long as somebody reads."""

    __slots__ = ()

    @property
    def pieces(self) -> Iterable[bytes]:
        head, rest = _FORMS[str(self.headers)]  # the one field that a test writes into
        return chain([head], repeat(rest))


_FORMS = {f"form-{number}": (head, some(rest, PIECE)) for number, (head, rest, _, _) in enumerate(ENDLESS)}


def peak(pid: int) -> int:
    """The most memory that a process had, in MB; 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) // 1024 if found else 0


@pytest.mark.slow
def test_a_crawl_of_endless_answers_stays_small(tmp_path: Path) -> None:
    """Each is one page's error by a name; the honest pages beside them are read, and cookies are not kept."""
    long_tag = {"ETag": f'"{"e" * 300}"', "Set-Cookie": "a=b"}
    routes: dict[str, Route] = {
        "/": html("Start", anchors([*(f"/{name}" for name in _FORMS), "/tagged", "/honest"])),
        **{f"/{name}": Endless(headers=name) for name in _FORMS},  # type: ignore[arg-type]
        "/tagged": Answer(200, html("Tagged", prose("tagged")).body, long_tag),
        "/honest": html("Honest", prose("honest")),
    }
    most = 0
    with scripted_web(routes) as site:
        seeds = f"seeds={site.url('/')}"
        with running(tmp_path, "crawl", "web", "-a", seeds, "-a", "own=1") as process:
            begun = peak(process.pid)

            def ended() -> bool:
                nonlocal most
                most = max(most, peak(process.pid))
                return process.poll() is not None

            until(ended, "the end of the crawl")
        known = {url.removeprefix(site.url("/")): found for url, found in states(tmp_path).items()}
    assert known["honest"] == known["tagged"] == ("stored", "")
    reasons = {name: known[name] for name in _FORMS}
    assert {state for state, _ in reasons.values()} == {"failed"}
    assert {reason for _, reason in reasons.values()} <= {TOO_LARGE, NO_HTTP, "answer cut short"}
    assert most - begun < 200, f"{most} MB"
