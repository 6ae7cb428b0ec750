"""How much goes over the network, counted by the site and by us; and rest that is kept on a real clock."""

import gzip
import time
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path

import pytest

from tests.running import crawl, running
from tests.web.scripted import Answer, Route, anchors, html, pages, prose, scripted_web

PATHS = ["/", *(f"/{n}" for n in range(1, 9))]
PACKED = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
TEXT = prose("packed") * 50


def rows(summary: str) -> dict[str, str]:
    """The summary's figures by their names, without the examples behind them."""
    lines = (line.strip().partition("  such as ")[0] for line in summary.splitlines())
    return dict(line.rsplit(maxsplit=1) for line in lines)


def figure(summary: str, name: str) -> int:
    return int(rows(summary)[name].replace(",", ""))


def size(answer: Answer) -> int:
    """Bytes of an answer as it is sent."""
    return sum(map(len, answer.pieces))


@pytest.mark.slow
@pytest.mark.requirement(271)
def test_what_goes_in_and_out_is_counted_and_connections_are_used_again(tmp_path: Path) -> None:
    """Packed as it comes, robots.txt and errors included; keep-alive is used."""
    routes: dict[str, Route] = {
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /no", {"Content-Type": "text/plain"}),
        "/sitemap.xml": Answer(404),
        "/": html("Start", anchors(("/packed", "/missing"))),
        "/packed": Answer(200, gzip.compress(TEXT.encode(), mtime=0), PACKED),
        "/missing": html("Missing", "<p>nothing</p>", status=404),
    }
    with scripted_web(routes) as site:
        summary = crawl(tmp_path, site.url("/"))
        answers = [site.answer(request) for request in site.log]
        sent = sum(
            len(f"GET {request.path} HTTP/1.1\r\n\r\n")
            + sum(len(f"{name}: {value}\r\n") for name, value in request.headers.items())
            for request in site.log
        )
        assert len({request.connection for request in site.log}) < len(site.log)
    assert len(answers) == len(routes)
    received = figure(summary, "bytes received")
    assert received == pytest.approx(sum(map(size, answers)), rel=0.1)
    assert received < len(TEXT) < figure(summary, "bytes")
    assert figure(summary, "bytes sent") == pytest.approx(sent, rel=0.1)


def endless() -> Iterable[bytes]:
    return repeat(bytes(65_536))


@pytest.mark.slow
@pytest.mark.requirement(271)
@pytest.mark.parametrize(
    ("answer", "least", "why"),
    [
        (Answer(200, endless(), {"Content-Type": "text/html"}), 10_000_000, "ten megabytes came, in vain"),
        (Answer(200, b"\x1f\x8b" + bytes(9_000), PACKED), 9_000, "nobody can unpack it"),
    ],
    ids=["too large", "damaged"],
)
def test_what_came_in_vain_is_counted(tmp_path: Path, answer: Answer, least: int, why: str) -> None:
    with scripted_web({"/": answer, "/robots.txt": Answer(404), "/sitemap.xml": Answer(404)}) as site:
        summary = crawl(tmp_path, site.url("/"))
    assert least <= figure(summary, "bytes received") <= least * 1.2 + 3_000, why


@pytest.mark.requirement(262)
def test_what_nobody_reads_is_not_downloaded(tmp_path: Path) -> None:
    """An endless image, aborted after its headers; its bytes are not even received."""
    image = Answer(200, (bytes(65_536) for _ in range(1_000)), {"Content-Type": "image/png"})
    routes = {"/": html("Start", anchors(["/image"])), "/image": image}
    with scripted_web(routes) as site:
        summary = crawl(tmp_path, site.url("/"))
        assert "/image" in site.paths
    assert "skipped: type" in rows(summary)
    assert figure(summary, "bytes received") < 10_000


@pytest.mark.slow
@pytest.mark.requirement(257, 271)
def test_a_bandwidth_is_kept(tmp_path: Path) -> None:
    """The cap bytes_per_second of crawl.toml, on the site's clock."""
    rate = 8_000
    (tmp_path / "crawl.toml").write_text(f"[limits]\nbytes_per_second = {rate}\n", encoding="utf-8")
    site_of = {path: html(path, prose(path) * 5 + anchors(PATHS)) for path in PATHS}
    with scripted_web(site_of) as site:
        crawl(tmp_path, site.url("/"))
        sizes = [size(site.answer(request)) for request in site.log]
        starts = [request.start - site.log[0].start for request in site.log]
    assert sum(sizes) > 2 * rate, "else there is nothing to wait for"
    at_once = 8 * max(sizes)
    for number, start in enumerate(starts):
        assert sum(sizes[:number]) <= rate * (start + 1.5) + at_once


def test_quiet_hours_are_kept(tmp_path: Path) -> None:
    """The crawl says that it rests, asks nothing, and does not end."""
    now = time.time()
    begin, end = (time.strftime("%H:%M", time.localtime(now + seconds)) for seconds in (-600, 7_200))
    (tmp_path / "crawl.toml").write_text(f'[limits]\nquiet_hours = ["{begin}-{end}"]\n', encoding="utf-8")
    with scripted_web(pages({"/": []})) as site:
        words = ("crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
        with running(tmp_path, *words) as process:
            assert process.stdout
            assert any(f"no requests until {end}" in line for line in process.stdout)
            assert process.poll() is None
            assert site.log == []
