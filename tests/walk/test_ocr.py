"""A crawl of scanned documents: their words are found where OCR is on, and what they could do is refused."""

import signal
from pathlib import Path

import pytest

from engine.search.search import SearchService
from tests.crawling import states
from tests.papers import pdf
from tests.running import crawl, running, scrapy, until
from tests.scans import picture, scan_of
from tests.web.scripted import Answer, Route, anchors, html, scripted_web

pytestmark = pytest.mark.tesseract
PDF = {"Content-Type": "application/pdf"}
SENTENCE = "The bittern booms at dusk."
ON = 'ocr = ["eng"]\n'


def web(**bodies: bytes) -> dict[str, Route]:
    """A page that links to these PDFs."""
    routes: dict[str, Route] = {f"/{name}.pdf": Answer(200, body, PDF) for name, body in bodies.items()}
    return {"/": html("Start", anchors([*routes])), **routes}


def found(data: Path, words: str) -> list[str]:
    """The URLs of hits."""
    service = SearchService(data)
    try:
        return [hit.url for hit in service.search(words).hits]
    finally:
        service.close()


def text_row(data: Path, url: str) -> str:
    """What `scrapy explain` says of a document's text."""
    rows = (line.partition(" ") for line in scrapy(data, "explain", url).stdout.splitlines())
    return next((rest.strip() for name, _, rest in rows if name == "text"), "")


@pytest.mark.slow
@pytest.mark.requirement(17)
def test_a_scanned_page_is_found_by_its_words(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text(ON)
    scan = scan_of(picture("Report", SENTENCE), picture(), picture("Page three names a woodcock."))
    with scripted_web(web(scan=scan, text=pdf(["plain text"]))) as site:
        crawl(tmp_path, site.url("/"), max_depth="1")
        url = site.url("/scan.pdf")
        assert found(tmp_path, '"bittern booms at dusk"') == [url]
        assert found(tmp_path, "woodcock") == [url]
        assert text_row(tmp_path, url) == "3 of 3 pages are scanned: 2 read by OCR, the others without text"
        assert not text_row(tmp_path, site.url("/text.pdf"))


@pytest.mark.slow
def test_without_ocr_scanned_pages_are_counted(tmp_path: Path) -> None:
    with scripted_web(web(scan=scan_of(picture(SENTENCE)))) as site:
        crawl(tmp_path, site.url("/"), max_depth="1")
        assert found(tmp_path, "bittern") == []
        assert text_row(tmp_path, site.url("/scan.pdf")) == "1 of 1 pages is scanned: no text"


@pytest.mark.slow
def test_a_crawl_goes_on_beside_ocr_and_ends_when_it_is_told(tmp_path: Path) -> None:
    """What pages behind the document link to is fetched; a document that was not read is when it goes on."""
    (tmp_path / "crawl.toml").write_text(ON)
    long = scan_of(*[picture(*[f"{SENTENCE} {n} {line}" for line in range(24)]) for n in range(60)])
    routes = {**web(scan=long), "/a": html("A", anchors(["/b"])), "/b": html("B", "b")}
    routes["/"] = html("Start", anchors(["/scan.pdf", "/a"]))
    with scripted_web(routes) as site:
        words = ("crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
        with running(tmp_path, *words) as process:
            until(lambda: states(tmp_path).get(site.url("/b")) == ("stored", ""), "the page behind")
            assert states(tmp_path)[site.url("/scan.pdf")] == ("queued", "")
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        assert states(tmp_path)[site.url("/scan.pdf")] == ("queued", "")
        site.routes["/scan.pdf"] = Answer(200, scan_of(picture(SENTENCE)), PDF)
        scrapy(tmp_path, *words)
        assert found(tmp_path, "bittern") == [site.url("/scan.pdf")]


def test_a_language_that_is_not_installed_ends_the_crawl_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text('ocr = ["tlh"]\n')
    said = scrapy(tmp_path, "crawl", "web", "-a", "seeds=http://127.0.0.1:1/", "-a", "own=1", code=2)
    assert said.stderr.count("\n") == 1
    assert "apt-get install tesseract-ocr-tlh" in said.stderr
