"""PPTX, XLSX and OpenDocument files made in code, part by part."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from engine.formats import ODP, ODS, ODT
from tests.papers import RELATIONS, R, docx_parts, package, related, word

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
Parts = dict[str, str | bytes]


def core(said: str) -> str:
    """docProps/core.xml."""
    dc, terms = "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"
    return f'<c:p xmlns:c="urn:c" xmlns:dc="{dc}" xmlns:dcterms="{terms}">{said}</c:p>'


def shape(text: str, placeholder: str = "", more: str = "", alternative: str = "", kind: str = "sp") -> str:
    """A shape with a paragraph for each line; `more` stands in its own properties."""
    lines = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in text.split("\n"))
    held = f"<p:nvPr><p:ph type={quoteattr(placeholder)}/></p:nvPr>" if placeholder else "<p:nvPr/>"
    about = f'<p:cNvPr id="2" name="x" descr={quoteattr(alternative)} {more}/>'
    return f"<p:{kind}><p:nvSpPr>{about}{held}</p:nvSpPr><p:txBody>{lines}</p:txBody></p:{kind}>"


class Slide(NamedTuple):
    """A slide: its shapes, the shapes of its notes, attributes of its own, and what it has relations with."""

    shapes: str
    notes: str = ""
    more: str = ""
    related: str = ""
    beside: Mapping[str, str | bytes] = {}


def pptx_parts(*slides: Slide, said: str = "") -> Parts:
    """A presentation; in the part of slide n are slides n, from 1."""
    spaces = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"'
    parts: Parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": RELATIONS.format(related("a", "officeDocument", "ppt/presentation.xml")),
        "docProps/core.xml": core(said),
    }
    ids, relations = "", ""
    for n, slide in enumerate(slides, 1):
        ids += f'<p:sldId id="{255 + n}" r:id="rId{n}"/>'
        relations += related(f"rId{n}", "slide", f"slides/slide{n}.xml")
        tree = f"<p:cSld><p:spTree>{slide.shapes}</p:spTree></p:cSld>"
        parts[f"ppt/slides/slide{n}.xml"] = f"<p:sld {spaces} {slide.more}>{tree}</p:sld>"
        notes = related("n", "notesSlide", f"../notesSlides/notesSlide{n}.xml") if slide.notes else ""
        parts[f"ppt/slides/_rels/slide{n}.xml.rels"] = RELATIONS.format(notes + slide.related)
        parts[f"ppt/notesSlides/notesSlide{n}.xml"] = (
            f"<p:notes {spaces}><p:cSld><p:spTree>{slide.notes}</p:spTree></p:cSld></p:notes>"
        )
        parts |= slide.beside
    listed = f"<p:sldIdLst>{ids}</p:sldIdLst>"
    parts["ppt/presentation.xml"] = f"<p:presentation {spaces}>{listed}</p:presentation>"
    parts["ppt/_rels/presentation.xml.rels"] = RELATIONS.format(relations)
    return parts


def cell(reference: str, value: str, kind: str = "", style: int | None = None, formula: str = "") -> str:
    """A cell; `kind` as Excel names it."""
    of_kind = f' t="{kind}"' if kind else ""
    of_style = "" if style is None else f' s="{style}"'
    said = f"<is><t>{escape(value)}</t></is>" if kind == "inlineStr" else f"<v>{escape(value)}</v>"
    made = f"<f>{escape(formula)}</f>" if formula else ""
    return f'<c r="{reference}"{of_kind}{of_style}>{made}{said}</c>'


def row(*cells: str, more: str = "") -> str:
    """A row of cells."""
    return f"<row {more}>{''.join(cells)}</row>"


class Sheet(NamedTuple):
    """A sheet: its rows, what stands before and behind them, what the workbook says of it, its relations."""

    rows: str
    name: str = "Sheet1"
    before: str = ""
    behind: str = ""
    more: str = ""
    related: str = ""


def xlsx_parts(
    *sheets: Sheet, strings: Sequence[str] = (), codes: Sequence[str] = (), said: str = "", book: str = ""
) -> Parts:
    """A workbook; `codes` are those of styles from 1, style 0 is General; `strings` are XML inside of si."""
    parts: Parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": RELATIONS.format(related("a", "officeDocument", "xl/workbook.xml")),
        "docProps/core.xml": core(said),
        "xl/sharedStrings.xml": f'<sst xmlns="{S}">{"".join(f"<si>{one}</si>" for one in strings)}</sst>',
    }
    formats = "".join(
        f'<numFmt numFmtId="{200 + n}" formatCode={quoteattr(code)}/>' for n, code in enumerate(codes)
    )
    styles = '<xf numFmtId="0"/>' + "".join(f'<xf numFmtId="{200 + n}"/>' for n, _ in enumerate(codes))
    parts["xl/styles.xml"] = (
        f'<styleSheet xmlns="{S}"><numFmts>{formats}</numFmts>'
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
        f"<cellXfs>{styles}</cellXfs></styleSheet>"
    )
    listed, relations = (
        "",
        related("s", "sharedStrings", "sharedStrings.xml") + related("f", "styles", "styles.xml"),
    )
    for n, sheet in enumerate(sheets, 1):
        listed += f'<sheet name={quoteattr(sheet.name)} sheetId="{n}" {sheet.more} r:id="rId{n}"/>'
        relations += related(f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml")
        inside = f"{sheet.before}<sheetData>{sheet.rows}</sheetData>{sheet.behind}"
        parts[f"xl/worksheets/sheet{n}.xml"] = f'<worksheet xmlns="{S}" xmlns:r="{R}">{inside}</worksheet>'
        parts[f"xl/worksheets/_rels/sheet{n}.xml.rels"] = RELATIONS.format(sheet.related)
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{S}" xmlns:r="{R}">{book}<sheets>{listed}</sheets></workbook>'
    )
    parts["xl/_rels/workbook.xml.rels"] = RELATIONS.format(relations)
    return parts


_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "draw", "presentation", "style", "meta", "manifest")
) + (
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
ODF_TYPES = {"text": ODT, "spreadsheet": ODS, "presentation": ODP}


def odf_parts(kind: str, body: str, styles: str = "", said: str = "", manifest: str = "") -> Parts:
    """An OpenDocument package of a kind: text, spreadsheet, presentation."""
    named = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    inside = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return {
        "mimetype": ODF_TYPES[kind],
        "content.xml": f"<office:document-content {_ODF}>{named}{inside}</office:document-content>",
        "styles.xml": f"<office:document-styles {_ODF}/>",
        "meta.xml": f"<office:document-meta {_ODF}><office:meta>{said}</office:meta></office:document-meta>",
        "META-INF/manifest.xml": f"<manifest:manifest {_ODF}>{manifest}</manifest:manifest>",
    }


SENTENCE = "The heron stands in the reeds."


def small_documents(sentence: str = SENTENCE) -> dict[str, Parts]:
    """A document of each format that is a package, with a sentence in it; by the format's name."""
    slide = shape("Birds", "title") + shape(sentence)
    box = f"<draw:text-box><text:p>{sentence}</text:p></draw:text-box>"
    page = f'<draw:page draw:name="p1"><draw:frame>{box}</draw:frame></draw:page>'
    table = (
        '<table:table table:name="Birds"><table:table-row><table:table-cell>'
        f"<text:p>{sentence}</text:p></table:table-cell></table:table-row></table:table>"
    )
    return {
        "docx": docx_parts(word(sentence)),
        "pptx": pptx_parts(Slide(slide)),
        "xlsx": xlsx_parts(Sheet(row(cell("A1", sentence, "inlineStr")))),
        "odt": odf_parts("text", f"<text:p>{sentence}</text:p>"),
        "ods": odf_parts("spreadsheet", table),
        "odp": odf_parts("presentation", page),
    }


MAIN_PARTS = {
    "docx": "word/document.xml",
    "pptx": "ppt/slides/slide1.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
    "odt": "content.xml",
    "ods": "content.xml",
    "odp": "content.xml",
}


def small_rtf(sentence: str = SENTENCE) -> bytes:
    """An RTF with a sentence in it."""
    return rb"{\rtf1\ansi{\info{\title Birds}}" + sentence.encode() + rb"\par}"


def office_files(sentence: str = SENTENCE) -> dict[str, bytes]:
    """All of them, packed, and an RTF."""
    packed = {name: package(parts) for name, parts in small_documents(sentence).items()}
    return {**packed, "rtf": small_rtf(sentence)}
