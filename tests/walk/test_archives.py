"""Archives as other programs write them: what wget has mirrored is as if it had been crawled."""

import gzip
import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from engine.warc import names_duplicates
from tests.running import crawl, scrapy
from tests.web.scripted import Answer, Route, anchors, html, prose, scripted_web
from tests.web.serve import friendly_web

PAGES = {
    "/robots.txt": Answer(body="User-agent: *\nDisallow: /private\n", headers={"Content-Type": "text/plain"}),
    "/": html("Home", prose("1") + anchors(["/a", "/b", "/private", "/moved", "/none"])),
    "/a": replace(html("A", prose("2") + anchors(["/b", "/chunks"])), headers={"Set-Cookie": "secret-id"}),
    "/b": html("B", prose("3"), '<meta name="robots" content="noarchive">'),
    "/chunks": Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                      b"10\r\n<title>C</title>\r\n9\r\n<p>chunky\r\n0\r\n\r\n"),
    "/private": html("Private", prose("4")),
    "/moved": Answer(301, headers={"Location": "/a"}),
}  # fmt: skip


def exported(data: Path) -> dict[str, dict[str, object]]:
    """What is stored, by URL, without what tells one run from another."""
    scrapy(data, "export", str(data / "pages.jsonl"))
    lines = map(json.loads, (data / "pages.jsonl").read_text().splitlines())
    return {
        line["url"]: {k: v for k, v in line.items() if k not in ("change", "fetched_at")} for line in lines
    }


def answers(data: Path, words: str) -> list[tuple[str, str]]:
    """What a search finds: URLs and titles, in their order."""
    found = json.loads(scrapy(data, "search", words, "--json").stdout)
    return [(hit["url"], hit["title"]) for hit in found["hits"]]


@pytest.mark.slow
def test_what_was_kept_exported_and_imported_is_as_it_was(tmp_path: Path) -> None:
    """All but pages with noarchive, whose responses are not kept; of no response cookies."""
    kept, again, file = tmp_path / "kept", tmp_path / "again", tmp_path / "all.warc.gz"
    kept.mkdir()
    (kept / "crawl.toml").write_text("keep_responses = true\n")
    with scripted_web(dict(PAGES)) as site:
        crawl(kept, site.url("/"))
        assert scrapy(kept, "export", str(file)).stdout.startswith(f"{file}: 3 pages, 1 redirect")
        assert scrapy(again, "import", str(file)).stdout.startswith("3 pages imported")
        pages = {url: page for url, page in exported(kept).items() if "noarchive" not in page}
        assert exported(again) == pages
        assert answers(again, "chunky") == answers(kept, "chunky") != []
        octets = gzip.decompress(file.read_bytes())
        assert b"WARC/1.1" in octets
        assert b"secret-id" not in octets
        scrapy(kept, "remove", site.url("/a"), "--reason", "asked")
    anew = tmp_path / "anew.warc.gz"
    assert scrapy(kept, "export", str(anew)).stdout.startswith(f"{anew}: 2 pages")
    assert site.url("/a").encode() + b"\r\nWARC-P" not in gzip.decompress(anew.read_bytes())
    [responses] = (kept / "responses").iterdir()
    assert b"<title>A</title>" in gzip.decompress(responses.read_bytes())
    assert "responses/" in scrapy(kept, "vacuum").stdout
    assert b"<title>A</title>" not in gzip.decompress(responses.read_bytes()), (
        "removed, now from the disk, too"
    )
    assert b"<title>Home</title>" in gzip.decompress(responses.read_bytes())


@pytest.mark.slow
def test_a_copy_that_took_the_place_of_a_page_is_exported(tmp_path: Path) -> None:
    """Also after a vacuum, which drops the response of a copy that was removed; those of others stay."""
    kept, again, file = tmp_path / "kept", tmp_path / "again", tmp_path / "all.warc.gz"
    routes: dict[str, Route] = {
        "/": html("Home", prose("1") + anchors(["/found/first", "/next"])),
        "/found/first": html("twice", prose("2") + '<a href="/next">on</a>'),
        "/next": html("Next", prose("3") + anchors(["/short", "/removed/later", "/another/one"])),
        "/short": html("Twice", prose("2") + '<a href="/">on</a>'),
        "/removed/later": html("Twice", prose("2") + "on", "<!-- regretted -->"),
        "/another/one": html("Twice", prose("2") + "on"),
    }
    kept.mkdir()
    (kept / "crawl.toml").write_text("keep_responses = true\n")
    with scripted_web(routes) as site:
        crawl(kept, site.url("/"))
        scrapy(kept, "remove", site.url("/removed/later"), "--reason", "asked")
        scrapy(kept, "vacuum")
        assert scrapy(kept, "export", str(file)).stdout.startswith(f"{file}: 3 pages")
        assert scrapy(again, "import", str(file)).stdout.startswith("3 pages imported")
        assert exported(again) == exported(kept)
        page = exported(again)[site.url("/short")]
        links = [{"url": site.url("/"), "anchor": "on", "nofollow": False, "main": True}]
        assert (page["title"], page["links"]) == ("Twice", links), "its own, not those of the first"
    [responses] = (kept / "responses").iterdir()
    octets = gzip.decompress(responses.read_bytes())
    assert octets.lower().count(b"<title>twice</title>") == 3
    assert b"regretted" not in octets


@pytest.mark.slow
def test_what_was_crawled_before_is_kept_by_the_next_crawl(tmp_path: Path) -> None:
    """Once: then, as before, no body is asked for again of a site that has not changed."""
    file = tmp_path / "all.warc.gz"
    with friendly_web() as web:
        crawl(tmp_path, *web.seeds)
        (tmp_path / "crawl.toml").write_text("keep_responses = true\n")
        crawl(tmp_path, *web.seeds, max_pages="5")
        pages = len(exported(tmp_path))
        said = scrapy(tmp_path, "export", str(tmp_path / "some.warc.gz")).stdout
        assert re.search(r"warc\.gz: \d+ pages.*; no response of \d+ pages is kept", said), said
        for _ in range(2):
            summary = crawl(tmp_path, *web.seeds)
            said = scrapy(tmp_path, "export", str(file)).stdout
    counts = dict(line.rsplit(maxsplit=1) for line in summary.splitlines())
    assert (int(counts["stored"]), int(counts["unchanged"])) == (0, pages)
    said = scrapy(tmp_path / "again", "import", str(file)).stdout
    assert said.startswith(f"{pages} pages imported"), said


ONCE, REFRESH = prose("once"), '<meta http-equiv="refresh" content="0; url=/once">'
NAMES: dict[str, Route] = {
    "/copy": html("Once", ONCE),
    "/nearly": html("Once", ONCE + "<p>But for this line.</p>"),
    "/preferred": html("Another", prose("another"), '<link rel="canonical" href="/once">'),
    "/refresh": html("Wait", prose("wait"), REFRESH),
    "/moved": Answer(302, headers={"Location": "/once"}),
}
SECRET: dict[str, Route] = {
    "/nocopies": html("Once", ONCE, '<meta name="robots" content="noarchive">'),
    "/noentry": html("Wait", prose("wait"), REFRESH + '<meta name="robots" content="noindex">'),
    "/norefresh": html("Wait", prose("wait"), REFRESH + '<meta name="robots" content="noarchive">'),
}


@pytest.mark.slow
def test_links_to_all_names_of_a_page_count_where_it_is_imported(tmp_path: Path) -> None:
    """Copies, redirects of each kind, and pages whose owners prefer another URL; but nothing is kept, nor
    exported, of those whose owners want no copies or no entry.
    """
    kept, again, file = tmp_path / "kept", tmp_path / "again", tmp_path / "all.warc.gz"
    words = {name: f"called{name[1:]}" for name in (*NAMES, *SECRET)}
    links = {
        f"/to{name}": html(f"To {name}", prose(name) + f'<a href="{name}">{word}</a>')
        for name, word in words.items()
    }
    home = html("Home", prose("1") + anchors(["/once", *links]))
    kept.mkdir()
    (kept / "crawl.toml").write_text("keep_responses = true\n")
    with scripted_web({"/": home, "/once": html("Once", ONCE), **NAMES, **SECRET, **links}) as site:
        crawl(kept, site.url("/"))
        said = scrapy(kept, "export", str(file)).stdout
        assert said.startswith(f"{file}: {len(links) + 2} pages, {len(NAMES)} redirects and copies"), said
        scrapy(again, "import", str(file))
    for name, word in words.items():
        assert (site.url("/once"), "Once") in (had := answers(kept, word)), name
        assert (answers(again, word) == had) is (name in NAMES), name
    [responses] = (kept / "responses").iterdir()
    for octets in (file.read_bytes(), responses.read_bytes()):
        for name in words:
            has = f"WARC-Target-URI: {site.url(name)}\r".encode() in gzip.decompress(octets)
            assert has is (name in NAMES), name
    named = re.findall(
        rb"Duplicate-Of: (\S+)(?s:.*?)WARC-Target-URI: (\S+)", gzip.decompress(file.read_bytes())
    )
    copies = [(site.url("/once").encode(), site.url(name).encode()) for name in ("/copy", "/nearly")]
    assert sorted(named) == copies
    assert names_duplicates(file)


@pytest.mark.slow
@pytest.mark.wget
def test_a_mirror_of_wget_is_as_if_it_had_been_crawled(tmp_path: Path) -> None:
    routes: dict[str, Route] = dict(PAGES)
    with scripted_web(routes) as site:
        mirror = ["wget", "--quiet", "--recursive", "--level=inf", "--delete-after", "-e", "robots=off"]
        subprocess.run(
            [*mirror, "--warc-file=site", site.url("/robots.txt"), site.url("/")], cwd=tmp_path, check=False
        )
        crawl(tmp_path / "crawled", site.url("/"))
    said = scrapy(tmp_path / "imported", "import", str(tmp_path / "site.warc.gz")).stdout
    assert said.startswith("4 pages imported from 1 file\n"), said
    assert exported(tmp_path / "imported") == exported(tmp_path / "crawled")
    assert answers(tmp_path / "imported", "chunky") == answers(tmp_path / "crawled", "chunky") != []
