"""Every text of ours is in every catalogue, and nothing that people read is written beside them."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from engine.model.message import Message as Said
from search_ui.rendering.responses import ROOT
from search_ui.rendering.translations import (
    CATALOGUES,
    ENGLISH,
    LANGUAGE,
    LANGUAGES,
    format_date_medium,
    format_number,
    format_time_unit,
    translate,
)

PROJECT = ROOT.parent
OTHERS = sorted(set(LANGUAGES) - {ENGLISH})
# For programs and who writes them: names, shapes and examples are in English wherever they are described.
ENGLISH_INSIDE = {"api.html"}
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|</?\w[^>]*>")
READ = re.compile(r'(?:aria-label|title|placeholder|alt|data-[a-z]+)="([^"]*)"')
WORD = re.compile(r"[A-Za-z]{2,}")
NAMES = re.compile(r"Lycosa|https://\S+|index, nofollow")  # the same in every language

MessageId = str | tuple[str, ...]
Written = MessageId | list[str] | None  # as Babel has it


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    before = LANGUAGE.set(ENGLISH)
    yield
    LANGUAGE.reset(before)


@cache
def of_the_source() -> frozenset[MessageId]:
    with (CATALOGUES / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    keywords = {"Message": None, "RerankSignal": (2,), "_": None, "gettext": None, "ngettext": (1, 2)}
    found: set[MessageId] = set()
    for folder in ("engine", "search_ui"):
        named = [(pattern.removeprefix(f"{folder}/"), method) for pattern, method in methods]
        chosen = {pattern.removeprefix(f"{folder}/"): value for pattern, value in options.items()}
        for _, _, message, _, _ in extract_from_dir(PROJECT / folder, named, chosen, keywords):
            found.add(key(message))
    return frozenset(found)


def catalogue(language: str) -> Catalog:
    with (CATALOGUES / language / "LC_MESSAGES" / "lycosa.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text: Written) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def messages(language: str) -> dict[MessageId, Message]:
    """By what they are in English; the head of the file is none."""
    return {key(one.id): one for one in catalogue(language) if one.id}


def key(text: Written) -> MessageId:
    return text if isinstance(text, str) else forms(text)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_every_text_of_the_source_and_no_other(language: str) -> None:
    assert len(of_the_source()) > 200
    assert set(messages(language)) == of_the_source()


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str) -> None:
    """In each form that numbers want, and looked at by somebody."""
    found = catalogue(language)
    several = [one for one in found if one.id and isinstance(one.id, tuple)]
    assert [one.id for one in found if one.id and (one.fuzzy or not all(forms(one.string) or [""]))] == []
    assert [one.id for one in several if len(forms(one.string)) != found.num_plurals] == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_places_for_values(language: str) -> None:
    """And the same elements, so that no catalogue brings markup of its own."""
    for one in messages(language).values():
        wanted = sorted(PLACEHOLDER.findall(forms(one.id)[-1]))
        for form in forms(one.string):
            assert sorted(PLACEHOLDER.findall(form)) == wanted, form


def test_every_language_has_its_own_catalogue() -> None:
    assert sorted(path.name for path in CATALOGUES.iterdir() if path.is_dir()) == OTHERS


TRANSLATABLE = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)  # parses, renders nothing


@pytest.mark.parametrize("path", sorted((ROOT / "templates").iterdir()), ids=lambda path: path.name)
def test_no_words_stand_in_a_template_but_to_be_translated(path: Path) -> None:
    if path.name not in ENGLISH_INSIDE:
        assert untranslated(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("template", "found", "why"),
    [
        ("<p>Hello there</p>", ["Hello there"], "text"),
        ("<p>{% trans %}Hello{% endtrans %}</p>", [], "to be translated"),
        ('<p aria-label="Hello">7</p>', ["Hello"], "what is only heard"),
        ('<p class="hello">Lycosa {{ value }}</p>', [], "names"),
        ('{{ "one page" if value else _("pages") }}', ["one page"], "a text that a program chooses"),
        ("<code>loop</code>", [], "what is typed"),
    ],
)
def test_words_in_a_template_are_found(template: str, found: list[str], why: str) -> None:
    assert untranslated(template) == found, why


def untranslated(template: str) -> list[str]:
    tree = TRANSLATABLE.parse(template)
    raw = "".join(one.data for one in tree.find_all(nodes.TemplateData))
    raw = re.sub(r"<(code|kbd)>.*?</\1>", "", raw, flags=re.DOTALL)
    texts = [*READ.findall(raw), *re.split(r"<[^>]*>", raw)]
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in ("_", "gettext", "ngettext"):
            call.args = []
    sentences = [
        one.value
        for one in tree.find_all(nodes.Const)
        if isinstance(one.value, str) and re.search(r"[A-Za-z] [A-Za-z]", one.value)
    ]
    return [one.strip() for one in [*texts, *sentences] if WORD.search(NAMES.sub("", one))]


@pytest.mark.parametrize(
    ("language", "shown", "why"),
    [
        ("en", ["1,204", "1,204.50", "12 ms", "May 2, 2026"], "as the words are"),
        ("ru", ["1\xa0204", "1\xa0204,50", "12 мс", "2 мая 2026\u202fг."], "no-break spaces"),
        ("pl", ["1\xa0204", "1\xa0204,50", "12 ms", "2 maj 2026"], "likewise, with a comma"),
        ("fa", ["۱٬۲۰۴", "۱٬۲۰۴٫۵۰", "۱۲ میلی\u200cثانیه", "۲ مه ۲۰۲۶"], "digits of its own"),
        ("zh", ["1,204", "1,204.50", "12毫秒", "2026年5月2日"], "no spaces"),
    ],
)
def test_numbers_and_days(language: str, shown: list[str], why: str) -> None:
    LANGUAGE.set(language)
    day = format_date_medium(date(2026, 5, 2))
    assert [
        format_number(1204),
        format_number(1204.5, 2),
        format_time_unit(12, "millisecond"),
        day,
    ] == shown, why


@pytest.mark.parametrize(
    ("language", "text", "shown", "why"),
    [
        ("en", Said("“{name}” must be 0 or 1.", name="fold"), "“fold” must be 0 or 1.", "English as it is"),
        (
            "pl",
            Said("“{name}” must be 0 or 1.", name="fold"),
            "Pole „fold” to 0 lub 1.",
            "its quotation marks",
        ),
        (
            "ru",
            Said("“{name}” must be 0 or 1.", name="{x}"),
            "Поле «{x}» — это 0 или 1.",
            "braces typed by a stranger",
        ),
        (
            "fa",
            Said("The form may have at most {limit} fields.", limit=32),
            "فرم حداکثر ۳۲ فیلد دارد.",
            "digits",
        ),
        ("zh", "Host", "Host", "a text that is not ours, although it looks so"),
        ("zh", "", "", "nothing, and not the head of the catalogue"),
    ],
)
def test_what_is_said(language: str, text: str, shown: str, why: str) -> None:
    LANGUAGE.set(language)
    assert translate(text) == shown, why
