"""Names languages as their readers call them."""

from babel import Locale, UnknownLocaleError

from search_ui.rendering.translations import LANGUAGE

RTL = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})


def native_name(code: str) -> str:
    """Returns a language's (ISO 639) own name; the code where Babel does not know it."""
    try:
        name = Locale.parse(code).get_language_name(code) or code
    except (UnknownLocaleError, ValueError):
        return code
    return name[:1].upper() + name[1:]


def foreign_name(code: str) -> str:
    """Returns the same, but '' for the language of the page around it."""
    return "" if code == LANGUAGE.get() else native_name(code)


def text_direction(code: str) -> str:
    """Returns the direction of a text: rtl for languages written so; else auto (HTML's dir)."""
    return "rtl" if code in RTL else "auto"
