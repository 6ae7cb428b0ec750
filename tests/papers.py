"""PDF and DOCX files made in code: plain ones, and what strangers make of them."""

import hashlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import NamedTuple
from xml.sax.saxutils import escape

PAD = bytes.fromhex(
    "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a"
)  # ISO 32000, 7.6.4.3.2
ALL_RIGHTS, NO_COPY = -4, -4 & ~(1 << 4)


def pdf_of(objects: Mapping[int, bytes], trailer: bytes = b"/Root 1 0 R") -> bytes:
    """A file of numbered objects with its cross-reference table (ISO 32000, 7.5)."""
    out, places = b"%PDF-1.7\n", {}
    for number, content in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%d 1\n%010d 00000 n \n" % (number, at) for number, at in places.items())
    size = max(objects) + 1
    return out + b"xref\n0 1\n0000000000 65535 f \n%strailer\n<</Size %d %s>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        size,
        trailer,
        len(out),
    )


def stream(content: bytes, more: bytes = b"") -> bytes:
    """A stream object."""
    return b"<</Length %d %s>>stream\n%s\nendstream" % (len(content), more, content)


def shown(lines: Sequence[str], size: int = 12) -> bytes:
    """The content of a sheet: a line below the other; one that begins with `#` in twice the size."""
    parts = []
    for number, line in enumerate(lines):
        points = size * 2 if line.startswith("#") else size
        text = (
            line.lstrip("#")
            .encode("cp1252")
            .replace(b"\\", b"\\\\")
            .replace(b"(", b"\\(")
            .replace(b")", b"\\)")
        )
        parts.append(b"BT /F %d Tf 50 %d Td (%s) Tj ET" % (points, 780 - 30 * number, text))
    return b"\n".join(parts)


SHEET = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 842]/Resources<</Font<</F 3 0 R>>>>%s>>"


def paper(
    *sheets: Sequence[str],
    named: Mapping[str, str] | None = None,
    catalog: bytes = b"",
    link: str = "",
    count: int | None = None,
    contents: bytes | None = None,
) -> dict[int, bytes]:
    """The objects of a plain document; `link` is where the first line of its first sheet leads.

    `count` is the number of pages it says it has, `contents` a stream object in place of the sheets' own.
    """
    kids = b" ".join(b"%d 0 R" % (10 + 2 * n) for n in range(len(sheets)))
    number = len(sheets) if count is None else count
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R %s>>" % catalog,
        2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, number),
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        4: b"<<%s>>" % b"".join(b"/%s(%s)" % (k.encode(), v.encode()) for k, v in (named or {}).items()),
        5: b"<</Type/Annot/Subtype/Link/Rect[40 770 400 800]/A<</S/URI/URI(%s)>>>>" % link.encode(),
    }
    for n, lines in enumerate(sheets):
        more = b"/Contents %d 0 R" % (11 + 2 * n) + (b"/Annots[5 0 R]" if link and not n else b"")
        objects[10 + 2 * n] = SHEET % more
        objects[11 + 2 * n] = contents or stream(shown(lines))
    return objects


def pdf(*sheets: Sequence[str], **more: object) -> bytes:
    """A plain PDF with these lines on its sheets; `more` as in paper()."""
    return pdf_of(paper(*sheets, **more), b"/Root 1 0 R/Info 4 0 R")  # type: ignore[arg-type]


def locked(*sheets: Sequence[str], password: bytes = b"", rights: int = ALL_RIGHTS) -> bytes:
    """A PDF in RC4 with 40 bits (ISO 32000, 7.6.4) with a user's password and these rights."""
    name = b"0123456789abcdef"
    owner = rc4(hashlib.md5((b"owner" + PAD)[:32]).digest()[:5], (password + PAD)[:32])
    said = (password + PAD)[:32] + owner + (rights & 0xFFFFFFFF).to_bytes(4, "little") + name
    key = hashlib.md5(said).digest()[:5]
    objects = paper(*sheets)
    for number in range(11, 11 + 2 * len(sheets), 2):
        salt = number.to_bytes(3, "little") + b"\0\0"
        content = shown(sheets[(number - 11) // 2])
        objects[number] = stream(rc4(hashlib.md5(key + salt).digest()[:10], content))
    del objects[4], objects[5]
    encrypt = b"/Filter/Standard/V 1/R 2/O<%s>/U<%s>/P %d" % (
        owner.hex().encode(),
        rc4(key, PAD).hex().encode(),
        rights,
    )
    return pdf_of(objects, b"/Root 1 0 R/Encrypt<<%s>>/ID[<%s><%s>]" % (encrypt, *[name.hex().encode()] * 2))


def rc4(key: bytes, text: bytes) -> bytes:
    """RC4, as old PDFs have it."""
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for octet in text:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(octet ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def flate_bomb(megabytes: int, layers: int = 1) -> bytes:
    """A stream object of so many megabytes of blanks, packed so often."""
    content = b" " * (megabytes * 1_000_000)
    for _ in range(layers):
        content = zlib.compress(content, 9)
    return stream(content, b"/Filter[%s]" % (b"/FlateDecode" * layers))


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
)
STYLES = """<w:styles xmlns:w="{}">
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Eigen"><w:name w:val="Eigen"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:styleId="Normal"><w:name w:val="Normal"/></w:style>
</w:styles>"""


def related(identity: str, kind: str, target: str, more: str = "") -> str:
    """One relation of a part."""
    return f'<Relationship Id="{identity}" Type="{R}/{kind}" Target="{escape(target)}" {more}/>'


def word(text: str, style: str = "") -> str:
    """A paragraph."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def docx_parts(body: str, core: str = "", hrefs: Mapping[str, str] | None = None) -> dict[str, str | bytes]:
    """The parts of a Word document, in the order in which Word writes them."""
    external = (related(name, "hyperlink", to, 'TargetMode="External"') for name, to in (hrefs or {}).items())
    dc, terms = "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"
    return {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": RELATIONS.format(related("a", "officeDocument", "word/document.xml")),
        "docProps/core.xml": f'<c:p xmlns:c="urn:c" xmlns:dc="{dc}" xmlns:dcterms="{terms}">{core}</c:p>',
        "word/_rels/document.xml.rels": RELATIONS.format(
            related("s", "styles", "styles.xml") + "".join(external)
        ),
        "word/styles.xml": STYLES.format(W),
        "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>',
    }


def package(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts; the media type that some begin with is not compressed."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, content in parts.items():
            packed.writestr(
                zipfile.ZipInfo(name), content, zipfile.ZIP_STORED if name == "mimetype" else method
            )
    return out.getvalue()


def docx(body: str, **more: object) -> bytes:
    """A Word document with this body; `more` as in docx_parts()."""
    return package(docx_parts(body, **more))  # type: ignore[arg-type]


def drawn(*texts: tuple[float, float, str], size: float = 10) -> bytes:
    """The content of a sheet on which each text begins at its place, drawn in this order."""
    return b"\n".join(
        b"BT /F %g Tf %g %g Td (%s) Tj ET" % (size, x, y, text.encode("cp1252")) for x, y, text in texts
    )


def with_outline(objects: Mapping[int, bytes], *entries: tuple[str, bytes]) -> dict[int, bytes]:
    """The objects of a document with an outline of these titles and destinations: objects 40, 41, ..."""
    last = 39 + len(entries)
    rows = {
        n: b"<</Title(%s)/Parent 6 0 R%s%s>>"
        % (title.encode("cp1252"), place, b"/Next %d 0 R" % (n + 1) if n < last else b"")
        for n, (title, place) in enumerate(entries, 40)
    }
    return {
        **objects,
        1: objects[1].replace(b">>", b"/Outlines 6 0 R>>"),
        6: b"<</First 40 0 R/Last %d 0 R/Count %d>>" % (last, len(entries)),
        **rows,
    }


class Tag(NamedTuple):
    """An element of a structure tree: what its object says but its kids, those, and its marked contents."""

    entries: bytes
    kids: bytes = b""
    contents: Sequence[int] = ()


def tagged(*tags: Tag, content: bytes) -> dict[int, bytes]:
    """The objects of a document of one sheet with a structure tree of these elements: objects 30, 31, ...

    The first is the tree's root element; what `content` marks and no element has belongs to the last.
    """
    objects = paper(
        ["x"], catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R", contents=stream(content)
    )
    owners = {number: n for n, tag in reversed([*enumerate(tags, 30)]) for number in tag.contents}
    parents = (owners.get(number, 29 + len(tags)) for number in range(content.count(b"/MCID")))
    return {
        **objects,
        10: SHEET % b"/Contents 11 0 R/StructParents 0",
        20: b"<</Type/StructTreeRoot/K[30 0 R]/ParentTree 21 0 R/ParentTreeNextKey 1>>",
        21: b"<</Nums[0[%s]]>>" % b" ".join(b"%d 0 R" % parent for parent in parents),
        **{
            n: b"<</Type/StructElem%s/K[%s %s]>>"
            % (tag.entries, tag.kids, " ".join(map(str, tag.contents)).encode())
            for n, tag in enumerate(tags, 30)
        },
    }
