"""Names languages as their readers call them."""

from functools import lru_cache

from babel import Locale, UnknownLocaleError

from search_ui.rendering.translations import LANGUAGE

RTL = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
_MANY = 1 << 8  # codes whose names are remembered


@lru_cache(_MANY)
def native_name(code: str) -> str:
    """What a language (ISO 639) calls itself; the code where Babel does not know it."""
    try:
        name = Locale.parse(code).get_language_name(code) or code
    except (UnknownLocaleError, ValueError):
        return code
    return name[:1].upper() + name[1:]


def foreign_name(code: str) -> str:
    """The same, but '' for a page in the language of our own words."""
    return "" if code == LANGUAGE.get() else native_name(code)


def text_direction(code: str) -> str:
    """rtl for text in a language that is written so; else auto (HTML's dir)."""
    return "rtl" if code in RTL else "auto"
