"""Documents of scanned pages, read page by page: what fails costs its page, and all has an end."""

import asyncio
import zlib
from collections.abc import Coroutine, Sequence
from typing import Any

import pytest

from engine.errors import PageError
from engine.model import Claim, Fetch, Page, Reading
from engine.packing import unpack
from engine.workers import recognition
from engine.workers.readers import ReaderPool
from engine.workers.recognition import TextRecognition
from engine.workers.tesseract import Tesseract
from tests.papers import SHEET, paper, pdf_of, stream
from tests.scans import picture, scan_of

URL = "http://h.example/a.pdf"
SMALL = picture("word", size=(300, 300))
SIDE = 50_000  # pixels: 312 MB in black and white, unpacked
HUGE = stream(
    zlib.compress(bytes(SIDE * SIDE // 8), 9),
    b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 1" % (SIDE, SIDE)
    + b"/Filter/FlateDecode",
)


class Pretended(Tesseract):
    """A Tesseract that answers what it is told, each picture in turn."""

    def __init__(self, *answers: str | PageError) -> None:
        super().__init__("", "", ())
        object.__setattr__(self, "answers", list(answers))

    async def read(self, picture: bytes, language: str = "") -> str:
        assert picture.startswith(b"P5\n")
        answer = self.answers.pop(0) if self.answers else "more"  # type: ignore[attr-defined]
        if isinstance(answer, PageError):
            raise answer
        return str(answer)


def in_loop(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 100))


def fetch_of(body: bytes) -> Fetch:
    return Fetch(Claim(1, URL, "h.example"), 200, (("content-type", "application/pdf"),), body)


async def complete(readers: ReaderPool, body: bytes, *answers: str | PageError) -> Reading:
    """A document as it is read after all."""
    fetch = fetch_of(body)
    reading = await readers.read(body, URL, "application/pdf", fetch.headers)
    return await TextRecognition(readers, Pretended(*answers)).complete(reading, fetch)


def page_of(reading: Reading) -> Page:
    return unpack(reading.content, {"url": URL, "language": "", "media_type": "application/pdf"})


HUNG, DIED = PageError("OCR took too long"), PageError("OCR failed")
CASES: list[tuple[Sequence[str | PageError], Sequence[str], tuple[int, int, int], str]] = [
    (["one", "two", "three"], ["one", "two", "three"], (3, 3, 3), "each page has its text"),
    (["one", HUNG, "three"], ["one", "", "three"], (3, 3, 2), "a page that made it hang has none"),
    ([DIED, DIED, DIED], [""], (3, 3, 0), "it never worked"),
    (["", " \n\f", "three"], ["", "", "three"], (3, 3, 1), "pages on which nothing is written"),
    (["\x00\x1b[2Ja", "\ufffd\ufffd", "\u202eb"], ["[2Ja", "\ufffd\ufffd", "\u202eb"], (3, 3, 3), "junk"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("answers", "texts", "counts", "why"), CASES, ids=[why for *_, why in CASES])
def test_texts_become_sections_of_their_pages(
    answers: Sequence[str | PageError], texts: Sequence[str], counts: tuple[int, int, int], why: str
) -> None:
    async def work() -> None:
        readers = ReaderPool()
        page = page_of(await complete(readers, scan_of(SMALL, SMALL, SMALL), *answers))
        readers.close()
        assert page.scanned == counts, why
        by_page = {one.fragment: one.text for one in page.sections}
        wanted = {f"page={n}": text for n, text in enumerate(texts, 1)}
        assert {name: text for name, text in by_page.items() if text} == {
            name: text for name, text in wanted.items() if text
        }, why

    in_loop(work())


@pytest.mark.slow
def test_a_long_document_is_read_as_far_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """500 scanned pages: the others are counted."""
    monkeypatch.setattr(recognition, "MAX_PAGES", 5)

    async def work() -> None:
        readers = ReaderPool()
        page = page_of(await complete(readers, scan_of(*[SMALL] * 500)))
        readers.close()
        assert page.scanned == (500, 500, 5)

    in_loop(work())


@pytest.mark.slow
def test_a_document_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "MAX_SECONDS", 0.0)

    async def work() -> None:
        readers = ReaderPool()
        reading = await complete(readers, scan_of(SMALL))
        readers.close()
        assert page_of(reading).scanned == (1, 1, 0)

    in_loop(work())


@pytest.mark.slow
def test_a_picture_that_no_memory_holds_costs_its_page() -> None:
    """Drawn in little memory, or given up: the page beside it is read in any case."""
    objects = paper(["x"], ["y"])
    for n in (10, 12):
        objects[n] = (SHEET % b"/Contents 14 0 R").replace(b"/Font", b"/XObject<</I %d 0 R>>/Font" % (6 + n))
    objects[14] = stream(b"q 600 0 0 842 0 0 cm /I Do Q")
    objects[16] = HUGE
    objects[18] = stream(
        b"\x80", b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
    )

    async def work() -> None:
        readers = ReaderPool()
        page = page_of(await complete(readers, pdf_of(objects)))
        assert page.scanned
        assert page.scanned.recognized >= 1
        assert page.sections[-1][1:3] == ("page=2", "more")
        assert (await readers.read(b"<p>after", URL, "text/html", [])).content
        readers.close()

    in_loop(work())


@pytest.mark.slow
def test_one_document_after_the_other() -> None:
    """A processor core and a picture is all that OCR takes."""
    under_way, most = 0, 0

    class Counting(Pretended):
        async def read(self, picture: bytes, language: str = "") -> str:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.01)
            under_way -= 1
            return "text"

    async def work() -> None:
        readers, body = ReaderPool(), scan_of(SMALL, SMALL)
        reading = await readers.read(body, URL, "application/pdf", [])
        several = TextRecognition(readers, Counting())
        done = await asyncio.gather(*[several.complete(reading, fetch_of(body)) for _ in range(4)])
        readers.close()
        assert [page_of(one).scanned for one in done] == [(2, 2, 2)] * 4
        assert most == 1

    in_loop(work())
