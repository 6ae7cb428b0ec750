"""Maps keys between keyboard layouts, for queries typed with the wrong one.

ghbdtn is привет on a Russian keyboard, and руддщ is hello. Every layout lists its keys in the same order.
"""

from collections.abc import Iterator

from engine.text.analysis import fold

_LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
"""US English: the key before 1, then three rows of letters."""

_LAYOUTS = (
    "ёйцукенгшщзхъфывапролджэячсмитьбю",  # Russian
    "'йцукенгшщзхїфівапролджєячсмитьбю",  # Ukrainian
    "ёйцукенгшўзх'фывапролджэячсмітьбю",  # Belarusian
    "`ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو.",  # Persian (ISIRI 9147)
)
"""What stands on the same keys, without shift."""


def _make_tables() -> Iterator[dict[int, int]]:
    for layout in _LAYOUTS:
        yield str.maketrans(_LATIN, layout)
        yield str.maketrans(layout, _LATIN)


_TABLES = tuple(_make_tables())


def retype(typed: str) -> list[str]:
    """Types the same keys with other layouts, in small letters; nothing that is as it was."""
    small = fold(typed)
    ways = (small.translate(table) for table in _TABLES)
    return [way for way in dict.fromkeys(ways) if way != small]
