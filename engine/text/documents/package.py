"""Unpacks a zip of XML parts (ECMA-376, part 2) that a stranger packed, within bounds."""

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from xml.parsers import expat

from engine.errors import PageError

MAX_ENTRIES = 10_000  # of one package; a book with a thousand pictures has some 1,100
MAX_PART = 64 * 1024 * 1024  # octets of one part, unpacked: 2,000 pages of Word's XML
MAX_RATIO = 200  # octets unpacked from one; Word's XML shrinks to a tenth, deflate packs 1,032 to 1 at best
ALWAYS = 1024 * 1024  # octets of a part that may be packed as tightly as they like
PIECE = 64 * 1024  # octets unpacked at once
MAX_DEPTH = 256  # elements inside each other; tables in tables have some 50
MAX_NAMES = 2_000  # different names of elements and attributes; expat keeps every one it meets
MAX_TOKEN = 1024 * 1024  # octets of one tag or comment

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, OSError, ValueError)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # MS-CFB, 2.2: what Word makes of a document with a password
_LOCKED = "EncryptedPackage".encode("utf-16-le")  # MS-OFFCRYPTO, 2.3.4.4
_ENCRYPTED = 0x1  # APPNOTE.TXT, 4.4.4, bit 0
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # ECMA-376, part 2, annex B

Start = Callable[[str, Mapping[str, str]], None]


class ZipPackage:
    """The parts of a package. Raises PageError: `encrypted`, `too large`, `broken`."""

    def __init__(self, body: bytes) -> None:
        if body.startswith(_OLE) and _LOCKED in body:
            raise PageError("encrypted")
        if body.count(b"PK\x01\x02") > MAX_ENTRIES:  # APPNOTE.TXT, 4.3.12: one for each
            raise PageError("too large", "entries")
        try:
            self._zip = zipfile.ZipFile(BytesIO(body))
        except _DAMAGE as error:
            raise PageError("broken", str(error)) from error

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def names(self) -> Sequence[str]:
        """Lists the names of the parts."""
        return self._zip.namelist()

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yields the octets of a part. Raises PageError for one that is not there, damaged or too large."""
        try:
            entry = self._zip.getinfo(name)
            if entry.flag_bits & _ENCRYPTED:
                raise PageError("encrypted")
            if entry.file_size > min(MAX_PART, max(ALWAYS, MAX_RATIO * entry.compress_size)):
                raise PageError("too large", name)
            if entry.compress_type not in _METHODS:
                raise PageError("broken", f"{name} uses an unknown compression method")
            with self._zip.open(entry) as part:  # which ends where the entry says, whatever is in it
                while piece := part.read(PIECE):
                    yield piece
        except _DAMAGE as error:
            raise PageError("broken", str(error)) from error


def parse_xml(
    pieces: Iterator[bytes], start: Start, end: Callable[[str], None], text: Callable[[str], None]
) -> None:
    """Parses a part and tells of its elements; names are local, whatever their prefix.

    Of two attributes with one local name that with a namespace is told.
    Raises PageError('broken') for what is no XML or has a document type (ECMA-376, part 2, 8.3.4).
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = fed = 0

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise PageError("broken", f"more than {MAX_DEPTH} elements inside each other")
        named = {local_name(key): value for key, value in attributes.items()}
        if len(named) < len(attributes):  # as r:id beside id: its own are told by where they stand
            named |= {local_name(key): value for key, value in attributes.items() if " " in key}
        start(local_name(name), named)

    def closed(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(local_name(name))

    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        for piece in pieces:
            parser.Parse(piece, False)
            fed += len(piece)
            if 0 <= parser.CurrentByteIndex < fed - MAX_TOKEN or len(parser.intern) > MAX_NAMES:
                raise PageError("broken", "XML with too long tokens or too many names")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise PageError("broken", str(error)) from error


def local_name(name: str) -> str:
    """Strips the namespace: those of ECMA-376 and of ISO 29500 strict differ in nothing else."""
    return name.rpartition(" ")[2]


def _refuse_doctype(*_: object) -> None:
    raise PageError("broken", "a document type")
