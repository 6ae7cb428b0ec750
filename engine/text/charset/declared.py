"""Finds the charset that a page or its header declares, by the labels that browsers know."""

import re
from collections.abc import Iterator

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding

_NAMES = """
    utf-8 utf-16 utf-16-be utf-16-le gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949 koi8-r koi8-u
    cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 mac-roman mac-cyrillic
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
    iso8859-15 iso8859-16 replacement x-user-defined
"""
BROWSER_CHARSETS = frozenset(_NAMES.split())
"""Python's names for the charsets of the Encoding Standard, 4.2; its other codecs are not for strangers."""

MULTIPLE = frozenset(["gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"])
"""Those of several bytes a character, but for UTF-8, UTF-16 and ISO-2022-JP."""

REPLACEMENT = "replacement"  # 14.1: charsets that are there to deceive; a browser shows one U+FFFD
USER_DEFINED = "x-user-defined"  # 14.5
USUAL = "cp1252"  # what a browser falls back to for most of the world

MAX_HEAD = 4 * 1024  # bytes in which a page declares its charset or not at all; as many as w3lib reads

_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "utf-16-be": "unicodefffe utf-16be",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859-2": """csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2
        latin2""",
    "iso8859-3": """csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3
        latin3""",
    "iso8859-4": """csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4
        latin4""",
    "iso8859-5": """csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5
        iso_8859-5:1988""",
    "iso8859-6": """arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6
        iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987""",
    "iso8859-7": """csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597
        iso_8859-7 iso_8859-7:1987 sun_eu_greek""",
    "iso8859-8": """csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598
        iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical""",
    "iso8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": """ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591
        iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252""",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": """cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5
        latin5 windows-1254 x-cp1254""",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "gb18030": """chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gb18030 gbk iso-ir-58 x-gbk""",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": """cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601
        ksc_5601 windows-949""",
    REPLACEMENT: "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    USER_DEFINED: "x-user-defined",
}
LABELS = {label: charset for charset, labels in _LABELS.items() for label in labels.split()}
"""The labels of the Encoding Standard, 4.2, each with Python's name for its charset."""

_LABEL = r"[\w.:+-]{1,40}"  # iso_8859-1:1987, ansi_x3.4-1968
_IN_HEADER = re.compile(rf";\s*charset\s*=\s*[\"']?\s*({_LABEL})", re.IGNORECASE)
_IN_BODY = re.compile(
    rb"<(?:meta\s|\?xml\s)[^<>]{0,500}?(?:charset|encoding)\s*=\s*[\"']?\s*(%b)" % _LABEL.encode(),
    re.IGNORECASE,
)


def find_declared(body: bytes, content_type: str) -> Iterator[str]:
    """Yields charsets of BROWSER_CHARSETS: what the HTTP header says, then META or the XML declaration."""
    header = _look_up_label(_IN_HEADER.search(content_type)) or http_content_type_encoding(content_type)
    if header in BROWSER_CHARSETS:
        yield header
    head = body[:MAX_HEAD]
    inside = html_body_declared_encoding(head)
    if inside not in BROWSER_CHARSETS:
        inside = next(filter(None, map(_look_up_label, _IN_BODY.finditer(head))), "")
    if inside:
        # HTML, 13.2.3.2: who could read the declaration byte by byte is not reading UTF-16.
        yield "utf-8" if inside.startswith("utf-16") else USUAL if inside == USER_DEFINED else inside


def is_gbk(body: bytes, content_type: str) -> bool:
    """Tells whether GB 18030 is declared by a label of GBK, which has fewer characters (10.1)."""
    found = (_IN_HEADER.search(content_type), *_IN_BODY.finditer(body[:MAX_HEAD]))
    return not any(_label_text(label) == "gb18030" for label in found if label)


def _look_up_label(label: re.Match[str] | re.Match[bytes] | None) -> str:
    """Looks up the charset of a label that browsers know, '' of any other."""
    return LABELS.get(_label_text(label), "") if label else ""


def _label_text(label: re.Match[str] | re.Match[bytes]) -> str:
    return (label[1] if isinstance(label[1], str) else label[1].decode()).lower()
