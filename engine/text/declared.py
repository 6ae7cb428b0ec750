"""Which charset a page and its header say that it is in, by the labels that browsers know."""

import re
from collections.abc import Iterator

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding

_NAMES = """
    utf-8 utf-16 utf-16-be utf-16-le gb18030 gbk big5hkscs euc_jp iso2022_jp cp932 cp949 koi8-r koi8-u
    cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 mac-roman mac-cyrillic
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
    iso8859-15 iso8859-16
"""
BROWSER_CHARSETS = frozenset(_NAMES.split())
"""Python's names for the charsets of the Encoding Standard, 4.2; its other codecs are not for strangers."""

MULTIPLE = frozenset(["gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"])
"""Those of several bytes a character, but for UTF-8, UTF-16 and ISO-2022-JP."""

MAX_HEAD = 4 * 1024  # bytes in which a page declares its charset or not at all; as many as w3lib reads

_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff",
    "utf-16-be": "unicodefffe",
    "iso8859-2": "iso88592",
    "iso8859-3": "iso88593",
    "iso8859-4": "iso88594",
    "iso8859-5": "iso88595",
    "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i iso88596",
    "iso8859-7": "iso88597 sun_eu_greek",
    "iso8859-8": "csiso88598e iso-8859-8-e iso88598 visual csiso88598i iso-8859-8-i logical",
    "iso8859-10": "iso885910",
    "iso8859-13": "iso885913",
    "iso8859-14": "iso885914",
    "iso8859-15": "csisolatin9 iso885915",
    "koi8-r": "koi koi8",
    "koi8-u": "koi8-ru",
    "mac-roman": "csmacintosh mac x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso885911",
    "cp1250": "x-cp1250",
    "cp1251": "x-cp1251",
    "cp1252": "iso88591 x-cp1252",
    "cp1253": "x-cp1253",
    "cp1254": "iso88599 x-cp1254",
    "cp1255": "x-cp1255",
    "cp1256": "x-cp1256",
    "cp1257": "x-cp1257",
    "cp1258": "x-cp1258",
    "gb18030": "csgb2312 gb_2312 x-gbk",
    "big5hkscs": "cn-big5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese x-euc-jp",
    "cp949": "cseuckr csksc56011987 iso-ir-149 ks_c_5601-1989 ksc_5601 windows-949",
}
MORE_LABELS = {label: charset for charset, labels in _LABELS.items() for label in labels.split()}
"""The labels of the Encoding Standard, 4.2, that neither w3lib nor Python know."""

_IN_HEADER = re.compile(r";\s*charset=\"?([\w-]+)", re.IGNORECASE)
_IN_BODY = re.compile(
    rb"<(?:meta\s|\?xml\s)[^<>]{0,500}?(?:charset|encoding)\s*=\s*[\"']?([\w-]+)", re.IGNORECASE
)


def declared(body: bytes, content_type: str) -> Iterator[str]:
    """Charsets of BROWSER_CHARSETS: what the HTTP header says, then what META or the XML declaration says."""
    header = http_content_type_encoding(content_type) or _further(_IN_HEADER.search(content_type))
    if header in BROWSER_CHARSETS:
        yield header
    head = body[:MAX_HEAD]
    inside = html_body_declared_encoding(head) or _further(_IN_BODY.search(head))
    if inside in BROWSER_CHARSETS:
        # HTML, 13.2.3.2: who could read the declaration byte by byte is not reading UTF-16.
        yield "utf-8" if inside.startswith("utf-16") else inside


def _further(label: re.Match[str] | re.Match[bytes] | None) -> str:
    """The charset of a label that w3lib does not know, '' if nobody does."""
    if not label:
        return ""
    text = label[1] if isinstance(label[1], str) else label[1].decode()
    return MORE_LABELS.get(text.lower(), "")
