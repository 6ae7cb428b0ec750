"""Defines where the characters of RTF groups go (RTF 1.9.1, "Destinations")."""

from enum import StrEnum


class Destination(StrEnum):
    """Where the characters of a group go."""

    TEXT = "text"
    NOWHERE = ""
    FONTS = "fonttbl"
    INFO = "info"
    TITLE = "title"
    INSTRUCTION = "fldinst"  # of a field
    RESULT = "fldrslt"
    CREATED = "creatim"
    REVISED = "revtim"


_NOWHERE = """
    author category colortbl comment company doccomm filetbl footer footerf footerl footerr ftncn ftnsep
    ftnsepc header headerf headerl headerr hlinkbase keywords listtext manager nonshppict objclass objdata
    operator pict pntext printim private rxe shprslt sp stylesheet subject tc txe xe
"""
DESTINATIONS = {
    **{one.value: one for one in Destination if one.value not in ("text", "")},
    **dict.fromkeys(_NOWHERE.split(), Destination.NOWHERE),
}
"""What is no text, or said again; `field`, `footnote`, `shptxt` and unknown words are text."""

READ_IF_STARRED = frozenset(["fldinst", "shpinst", "do", "shppict"])
