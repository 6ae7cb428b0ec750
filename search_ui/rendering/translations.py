"""Translates our texts, and formats numbers, dates and times: gettext and CLDR, by Babel.

The language of an answer is a context variable, as all that a page shows depends on it;
search_ui.rendering.locales sets it as a request comes in.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit
from markupsafe import Markup, escape

from engine.model import Message

ENGLISH = "en"  # what the words are written in; the others are in locale/
CATALOGUES = Path(__file__).parents[1] / "locale"
LANGUAGES: Mapping[str, str] = {
    ENGLISH: "English",
    "fa": "فارسی",
    "pl": "Polski",
    "ru": "Русский",
    "zh": "中文",
}
"""The languages of our pages (ISO 639), as each calls itself."""
OWN = "default"  # the signs between digits that a language is written with (CLDR, numbering systems)
KEPT = 4_096  # numbers, days and lengths of time, each in one language, kept as text; a page has some fifty

LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)

_DIGITS: Mapping[str, Mapping[int, int]] = {"fa": str.maketrans("0123456789%", "۰۱۲۳۴۵۶۷۸۹٪")}


@cache
def _catalogue(language: str) -> NullTranslations:
    """Loads a catalogue from its .po when first needed, in some milliseconds; nothing is to be built."""
    if language == ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    with (CATALOGUES / language / "LC_MESSAGES" / "lycosa.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


def gettext(message: str) -> str:
    """Translates a text into the language of the page; an unknown one stays as it is."""
    return _catalogue(LANGUAGE.get()).gettext(message) if message else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Translates a text in the plural form for a count."""
    return _catalogue(LANGUAGE.get()).ngettext(one, many, count)


def gettext_html(message: str, **values: object) -> Markup:
    """Translates {% trans %}: HTML, with values that are escaped unless they are HTML, too.

    Jinja's own takes three times as long, and a page says some fifty texts.
    """
    return _filled(gettext(message), values)


def ngettext_html(one: str, many: str, count: int, **values: object) -> Markup:
    """Translates {% trans %} with {% pluralize %}."""
    return _filled(ngettext(one, many, count), values)


def _filled(text: str, values: Mapping[str, object]) -> Markup:
    return Markup(text % {name: escape(value) for name, value in values.items()})  # noqa: S704  (text of ours)


def translate(text: str) -> str:
    """Translates a Message, values included; any other text stays as it is."""
    if not isinstance(text, Message):
        return text
    values = {name: format_number(one) if isinstance(one, int) else one for name, one in text.values.items()}
    template = gettext(text.template)
    return template.format(**values) if values else template


def format_number(value: float, decimals: int = 0) -> str:
    """Formats a number as the language writes it, with so many decimal places."""
    return _number(LANGUAGE.get(), value, decimals)


@lru_cache(KEPT)
def _number(language: str, value: float, decimals: int) -> str:
    places = "." + "0" * decimals if decimals else ""
    shown = format_decimal(value, f"#,##0{places}", locale=language, numbering_system=OWN)
    return _in_digits(shown, language)


def format_share(share: float) -> str:
    """Formats a share of 1 as a percentage."""
    language = LANGUAGE.get()
    return _in_digits(format_percent(share, locale=language, numbering_system=OWN), language)


def format_time_unit(amount: float, unit: str) -> str:
    """Formats a whole number of a CLDR unit of time (second, hour ...), in short form."""
    return _in_unit(LANGUAGE.get(), round(amount), unit)


@lru_cache(KEPT)
def _in_unit(language: str, whole: int, unit: str) -> str:
    shown = format_unit(whole, f"duration-{unit}", "short", locale=language, numbering_system=OWN)
    return _in_digits(shown, language)


def format_date_medium(day: date) -> str:
    """Formats a day of the Gregorian calendar, in medium form."""
    return _calendar_day(LANGUAGE.get(), day)


@lru_cache(KEPT)
def _calendar_day(language: str, day: date) -> str:
    return _in_digits(format_date(day, "medium", locale=language), language)


def page_direction() -> str:
    """Returns the direction of the page's language: rtl or ltr (HTML's dir)."""
    return _direction(LANGUAGE.get())


@cache
def _direction(language: str) -> str:
    return "rtl" if Locale(language).text_direction == "rtl" else "ltr"


def _in_digits(text: str, language: str) -> str:
    return text.translate(_DIGITS.get(language, {}))
