"""PDF files of scanned pages, as a scanner makes them: each page is a picture."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

A4 = (1_240, 1_754)  # pixels, of 150 to an inch


def picture(*lines: str, size: tuple[int, int] = A4) -> Image.Image:
    """A sheet of paper with these lines on it, black on white."""
    sheet = Image.new("L", size, 255)
    for n, line in enumerate(lines):
        ImageDraw.Draw(sheet).text((100, 100 + 60 * n), line, font=ImageFont.load_default(32), fill=0)
    return sheet


def scan_of(*sheets: Image.Image) -> bytes:
    """A PDF whose pages are these pictures."""
    out = BytesIO()
    first, *others = sheets
    first.save(out, "PDF", resolution=150.0, save_all=True, append_images=others)
    return out.getvalue()
