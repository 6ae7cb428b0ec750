"""Reads scanned pages of a document by OCR, one at a time, and then the document with their texts."""

import asyncio
from contextlib import suppress

from engine.errors import PageError
from engine.model import Fetch, Reading
from engine.workers.readers import ReaderPool
from engine.workers.reading_context import ReadingContext
from engine.workers.tesseract import Tesseract

MAX_PAGES = 100  # scanned ones of one document, the first; a thesis
MAX_SECONDS = 600.0  # by the clock, for one document: a page takes one to five
MAX_PICTURE = 10_100_000  # bytes; engine.text.documents.pdf_picture draws no larger one


class TextRecognition:
    """Reads the pictures of one document after the other; a processor core and a picture is all it takes."""

    def __init__(self, readers: ReaderPool, tesseract: Tesseract) -> None:
        self._readers, self._tesseract = readers, tesseract
        self._turn = asyncio.Lock()

    async def complete(self, reading: Reading, fetch: Fetch) -> Reading:
        """Returns the reading with the texts of its pictures, as many as could be read."""
        async with self._turn:
            texts = await self._read_pictures(reading, fetch)
        if not texts:
            return reading
        try:
            return await self._readers.read(
                fetch.body,
                fetch.claim.url,
                fetch.header("content-type"),
                fetch.headers,
                unpacked=fetch.unpacked,
                context=ReadingContext(texts, published=fetch.claim.published),
            )
        except PageError:
            return reading

    async def _read_pictures(self, reading: Reading, fetch: Fetch) -> dict[int, str]:
        loop, texts = asyncio.get_running_loop(), dict[int, str]()
        deadline = loop.time() + MAX_SECONDS
        for number in reading.pictures[:MAX_PAGES]:
            if loop.time() >= deadline:
                break
            with suppress(PageError):
                picture = await self._readers.render(fetch.body, number, unpacked=fetch.unpacked)
                if len(picture) <= MAX_PICTURE:
                    texts[number] = await self._tesseract.read(picture, reading.language)
        return texts
