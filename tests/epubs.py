"""Books as EPUB, part by part."""

from collections.abc import Mapping

from engine.formats import EPUB

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
EPUB_METADATA = (
    "<dc:title>On  Spiders</dc:title><dc:language>en-GB</dc:language>"
    "<dc:description>Eight legs.</dc:description>"
)


def chapter(heading: str, body: str) -> str:
    return (
        '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
        f"<body><h1 id='top'>{heading}</h1><p>{body}</p></body></html>"
    )


EPUB_CHAPTERS = {
    "text/one.xhtml": chapter("Webs", "A web is spun. <a href='two.xhtml'>On</a>"),
    "text/two.xhtml": chapter("Legs", "There are <a href='http://o.example/eight'>eight</a> of them."),
}


def epub_parts(
    chapters: Mapping[str, str] = EPUB_CHAPTERS,
    spine: str = "",
    meta: str = EPUB_METADATA,
    folder: str = "OEBPS",
) -> dict[str, str | bytes]:
    """The parts of a book; in its spine all chapters, where none is given."""
    items = "".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    order = spine or "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    dc = "http://purl.org/dc/elements/1.1/"
    return {
        "mimetype": EPUB,
        "META-INF/container.xml": CONTAINER.format(f"{folder}/book.opf"),
        f"{folder}/book.opf": (
            f'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="{dc}"><metadata>{meta}</metadata>'
            f'<manifest>{items}<item id="css" href="a.css" media-type="text/css"/></manifest>'
            f"<spine>{order}</spine></package>"
        ),
        **{f"{folder}/{name}": text for name, text in chapters.items()},
    }
