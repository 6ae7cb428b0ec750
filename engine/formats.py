"""Defines the document formats, one row each.

From a row follow what Accept asks for, `types` in crawl.toml, filetype:, the menus, the suffixes that are not
asked for, and what messages name. `reader` is imported when the first document of the format comes.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

HTML = "text/html"
XHTML = "application/xhtml+xml"
PLAIN = "text/plain"
MARKDOWN = "text/markdown"  # RFC 7763
EPUB = "application/epub+zip"  # EPUB 3.3
PDF = "application/pdf"  # RFC 8118
RTF = "application/rtf"  # Microsoft, Rich Text Format 1.9.1
_OOXML, _ODF = "application/vnd.openxmlformats-officedocument", "application/vnd.oasis.opendocument"
DOCX = f"{_OOXML}.wordprocessingml.document"  # ECMA-376
PPTX = f"{_OOXML}.presentationml.presentation"
XLSX = f"{_OOXML}.spreadsheetml.sheet"
ODT, ODS, ODP = (f"{_ODF}.{kind}" for kind in ("text", "spreadsheet", "presentation"))  # OpenDocument 1.3


class Format(NamedTuple):
    """One format. Of two that fit a request a server sends that of higher `quality` (RFC 9110, 12.5.1)."""

    word: str  # in `types` of crawl.toml
    media_types: tuple[str, ...]  # its own, the one that we like best first
    name: str  # filetype:NAME, and in the API
    label: str  # for people, in English
    quality: float  # in Accept
    reader: str  # "module:function", of a Source of engine.text.documents
    aliases: tuple[str, ...] = ()  # other media types that servers send for it (RFC 6838, 5.6)
    other_names: tuple[str, ...] = ()  # that people type behind filetype:
    suffixes: tuple[str, ...] = ()  # of files that hold nothing else: not asked for by who does not read them
    magic: re.Pattern[bytes] | None = None  # found in a body that no server has named
    folder: str = ""  # of a package that holds its parts, where packages of several formats begin alike


def _begins_zip(name: str) -> re.Pattern[bytes]:
    """Compiles a pattern of zips that begin with such a name, and what follows it (APPNOTE.TXT, 4.3.7)."""
    return re.compile(rb"\APK\x03\x04.{26}(?:%s)" % name.encode("ascii"), re.DOTALL)


def _begins_odf(media_type: str) -> re.Pattern[bytes]:
    """Compiles a pattern of OpenDocument packages (OpenDocument 1.3, part 2, 3.3); templates, too."""
    return _begins_zip(rf"mimetype{re.escape(media_type)}(?:-template)?(?=PK|\Z)")


_BEGINS_OOXML = _begins_zip(r"\[Content_Types\]\.xml|_rels/|docProps/|customXml/|word/|ppt/|xl/")
_BODIES, _OFFICE = "engine.text.documents.documents", "engine.text.office"
FORMATS = (
    Format(
        word="html",
        media_types=(HTML, XHTML),
        name="html",
        label="web page",
        quality=1.0,
        reader=f"{_BODIES}:read_markup",
        other_names=("htm", "xhtml"),
    ),
    Format(
        word="text",
        media_types=(PLAIN,),
        name="txt",
        label="plain text",
        quality=0.9,
        reader=f"{_BODIES}:read_text",
        other_names=("text",),
    ),
    Format(
        word="text",
        media_types=(MARKDOWN,),
        name="md",
        label="Markdown",
        quality=0.9,
        reader=f"{_BODIES}:read_text",
        aliases=("text/x-markdown",),
        other_names=("markdown",),
    ),
    Format(
        word="docx",
        media_types=(DOCX,),
        name="docx",
        label="Word",
        quality=0.8,
        reader=f"{_OFFICE}:read_docx",
        suffixes=("docx",),
        magic=_BEGINS_OOXML,
        folder="word/",
    ),
    Format(
        word="pptx",
        media_types=(PPTX,),
        name="pptx",
        label="PowerPoint",
        quality=0.8,
        reader=f"{_OFFICE}:read_pptx",
        aliases=(f"{_OOXML}.presentationml.slideshow",),
        other_names=("ppsx",),
        suffixes=("pptx", "ppsx"),
        magic=_BEGINS_OOXML,
        folder="ppt/",
    ),
    Format(
        word="xlsx",
        media_types=(XLSX,),
        name="xlsx",
        label="Excel",
        quality=0.7,
        reader=f"{_OFFICE}:read_xlsx",
        suffixes=("xlsx",),
        magic=_BEGINS_OOXML,
        folder="xl/",
    ),
    Format(
        word="odt",
        media_types=(ODT,),
        name="odt",
        label="OpenDocument text",
        quality=0.8,
        reader=f"{_OFFICE}:read_odt",
        aliases=(f"{ODT}-template",),
        suffixes=("odt",),
        magic=_begins_odf(ODT),
    ),
    Format(
        word="ods",
        media_types=(ODS,),
        name="ods",
        label="OpenDocument spreadsheet",
        quality=0.7,
        reader=f"{_OFFICE}:read_ods",
        aliases=(f"{ODS}-template",),
        suffixes=("ods",),
        magic=_begins_odf(ODS),
    ),
    Format(
        word="odp",
        media_types=(ODP,),
        name="odp",
        label="OpenDocument presentation",
        quality=0.8,
        reader=f"{_OFFICE}:read_odp",
        aliases=(f"{ODP}-template",),
        suffixes=("odp",),
        magic=_begins_odf(ODP),
    ),
    Format(
        word="rtf",
        media_types=(RTF,),
        name="rtf",
        label="RTF",
        quality=0.7,
        reader=f"{_OFFICE}:read_rtf",
        aliases=("text/rtf", "application/x-rtf"),
        suffixes=("rtf",),
        magic=re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\{\\rtf"),
    ),
    Format(
        word="epub",
        media_types=(EPUB,),
        name="epub",
        label="EPUB",
        quality=0.8,
        reader="engine.text.documents.epub:read_epub",
        suffixes=("epub",),
        magic=_begins_zip(r"mimetypeapplication/epub\+zip"),
    ),
    Format(
        word="pdf",
        media_types=(PDF,),
        name="pdf",
        label="PDF",
        quality=0.7,
        reader="engine.text.documents.pdf:read_pdf",
        aliases=("application/x-pdf", "application/acrobat"),
        suffixes=("pdf",),
        magic=re.compile(rb"\A.{0,1019}?%PDF-", re.DOTALL),  # readers look for it in the first 1,024 bytes
    ),
)
BY_MEDIA_TYPE: Mapping[str, Format] = {name: one for one in FORMATS for name in one.media_types}
READABLE = frozenset(BY_MEDIA_TYPE)
"""The media types of which a page can be made."""
FILETYPES = tuple(one.name for one in FORMATS)
"""What filetype: may say."""


def suffixes_read(types: frozenset[str] = READABLE) -> frozenset[str]:
    """Lists the file suffixes of these media types."""
    read = (one for one in FORMATS if types.intersection(one.media_types))
    return frozenset(suffix for one in read for suffix in one.suffixes)
