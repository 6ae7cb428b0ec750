"""Defines the code pages of RTF: those of a document and those of its fonts (RTF 1.9.1, "Character Set")."""

from encodings.aliases import aliases

DEFAULT = "cp1252"
BY_KEYWORD = {"ansi": DEFAULT, "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
MIXED = {
    0: DEFAULT,
    10000: "mac_roman",
    54936: "gb18030",
    65001: "utf_8",
}  # code pages that Python calls otherwise
BY_CHARSET = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
"""By \\fcharset, which is Windows' number of a script; every other one is the code page of the document."""

_KNOWN = frozenset(aliases.values())


def find_codec(code_page: int) -> str:
    """Finds Python's name of a code page, '' for one that it does not know."""
    name = MIXED.get(code_page, f"cp{code_page}")
    return name if name in _KNOWN else ""
