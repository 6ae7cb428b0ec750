"""Strangers' text in texts of ours and in addresses: what we do ourselves, as Jinja and Python do it."""

from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment
from markupsafe import Markup

from search_ui.rendering import translations
from search_ui.rendering.formatting import encode_query
from search_ui.rendering.responses import _TEMPLATES

JINJAS = Environment(autoescape=True, extensions=["jinja2.ext.i18n"])
JINJAS.install_gettext_callables(translations.gettext, translations.ngettext, newstyle=True)  # type: ignore[attr-defined]

TEXTS = [
    ("{% trans %}Search{% endtrans %}", "no value"),
    ("{% trans %}100 % of <b>it</b>{% endtrans %}", "a sign of Python's own, and HTML of ours"),
    ("{% trans value=value %}<b>{{ value }}</b>{% endtrans %}", "a value in HTML"),
    ('{% trans value=value %}<a href="{{ value }}">x</a>{% endtrans %}', "a value in an attribute"),
    ("{% trans n=1, value=value %}one {{ value }}{% pluralize n %}many{% endtrans %}", "with a number: one"),
    ("{% trans n=2, value=value %}one{% pluralize n %}<i>{{ value }}{% endtrans %}", "with a number: many"),
    ("{% trans n=2 %}one{% pluralize %}{{ n }} of them{% endtrans %}", "the number itself"),
    ("{{ _(value) }}", "what is in no catalogue"),
]


@pytest.mark.parametrize(("template", "why"), TEXTS, ids=[why for _, why in TEXTS])
@settings(max_examples=25)
@given(value=st.text() | st.sampled_from(["<script>", "a&b", "\"'", "%s %(value)s", Markup("<q>ours</q>")]))
def test_values_in_our_texts_are_escaped_as_jinja_does(template: str, why: str, value: str) -> None:
    if template == "{{ _(value) }}" and "%" in value:
        return  # no text of ours comes from a stranger
    ours, theirs = (one.from_string(template).render(value=value) for one in (_TEMPLATES, JINJAS))
    assert ours == theirs, why


@given(
    st.dictionaries(st.sampled_from(["q", "url", "page"]), st.text(st.characters(codec=None)) | st.integers())
)
def test_addresses_are_encoded_as_python_does(fields: dict[str, object]) -> None:
    """Half a character (a lone surrogate) becomes a question mark."""
    assert encode_query(fields) == urlencode(fields, errors="replace")
