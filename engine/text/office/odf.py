"""Reads OpenDocument packages: whether one may be read, its styles, its page (OpenDocument 1.3, part 2)."""

import time
from collections.abc import Callable, Mapping

from engine.errors import PageError
from engine.model import Page
from engine.text.documents import (
    SHARE,
    DocumentSource,
    TextBuilder,
    TextLimitReached,
    ZipPackage,
    build_page,
)
from engine.text.office.odf_parser import OdfParser
from engine.text.office.odf_styles import OdfStyles
from engine.text.office.package_parts import parse_optional_part, parse_part, read_properties

CONTENT, STYLES, META, MANIFEST = "content.xml", "styles.xml", "meta.xml", "META-INF/manifest.xml"
ENCRYPTED_PACKAGE = "encrypted-package"  # LibreOffice's, for all parts at once


def read_odf(
    source: DocumentSource,
    make_parser: Callable[[TextBuilder, OdfStyles], OdfParser],
    find_heading: Callable[[TextBuilder], str],
    clock: Callable[[], float] = time.process_time,
) -> Page:
    """Reads an OpenDocument package with the parser of its kind; `find_heading` titles one without a title.

    Raises PageError: `type` for a package with another kind of document, `encrypted`, `too large`, `broken`.
    """
    deadline = clock() + SHARE * source.seconds

    def late() -> bool:
        return clock() >= deadline

    package = ZipPackage(source.body)
    if _is_encrypted(package):
        raise PageError("encrypted")
    text, styles, cut = TextBuilder(), OdfStyles(), False
    parser = make_parser(text, styles)
    try:
        parse_optional_part(package, STYLES, styles.start, late=late)
        parse_part(package, CONTENT, parser, late)
    except TextLimitReached:
        cut = True
    heading = parser.title or find_heading(text)
    return build_page(source, text, read_properties(package, META), heading, cut=cut)


def _is_encrypted(package: ZipPackage) -> bool:
    """Tells whether nobody reads the text without a key (OpenDocument 1.3, part 2, 4.4 and 5.4)."""
    entry, encrypted = "", False

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal entry, encrypted
        if name == "file-entry":
            entry = attributes.get("full-path", "")
        elif name == "encryption-data":
            encrypted = encrypted or entry in (CONTENT, ENCRYPTED_PACKAGE)

    parse_optional_part(package, MANIFEST, start)
    return encrypted
