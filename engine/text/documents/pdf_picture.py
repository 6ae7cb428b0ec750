"""Renders a page of a PDF as a picture, for OCR."""

import math
from contextlib import closing

from pypdfium2 import PdfiumError, PdfPage

from engine.errors import PageError
from engine.text.documents.pdf import open_document

DPI = 300  # what Tesseract's manual asks for
POINTS = 72  # in an inch (ISO 32000, 8.3.2.3)
MAX_PIXELS = 10_000_000  # of one picture, a byte each; A4 has 8.7 million
MAX_SIDE = 32_767  # pixels, as Tesseract takes them


def render_page(body: bytes, number: int) -> bytes:
    """Renders a page, the first is 0, in shades of grey as a PGM (netpbm, pgm(5)).

    Raises PageError for a page that cannot be drawn.
    """
    try:
        with closing(open_document(body)) as document, closing(document[number]) as page:
            return _draw(page)
    except (PdfiumError, IndexError, ValueError, OverflowError) as error:
        raise PageError("broken", str(error)) from error


def _draw(page: PdfPage) -> bytes:
    width, height = page.get_size()
    if not 0 < width * height < math.inf:
        raise PageError("broken", "a page without a size")
    scale = min(DPI / POINTS, math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / max(width, height))
    with closing(page.render(scale=scale, grayscale=True)) as drawn:
        rows, stride = memoryview(drawn.buffer).cast("B"), drawn.stride
        lines = (rows[n * stride : n * stride + drawn.width] for n in range(drawn.height))
        return b"P5\n%d %d\n255\n" % (drawn.width, drawn.height) + b"".join(lines)
