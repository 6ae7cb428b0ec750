"""The mark of a host: what counts as one, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ownership.mark import (
    file_text,
    is_in_file,
    is_in_page,
    is_key,
    make_key,
    make_value,
    meta_element,
)

HOST = "https://www.example.org"
KEY = "k" * 43
VALUE = make_value(HOST, KEY)
META = meta_element(VALUE)


def test_a_key_is_random_and_its_value_is_of_one_host() -> None:
    one, other = make_key(), make_key()
    assert one != other
    assert is_key(one)
    values = {make_value(host, key) for host in (HOST, "http://www.example.org") for key in (one, other)}
    assert len(values) == 4
    assert all(one not in value for value in values)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "nothing"),
        ("password", "somebody's own word could be guessed from its value, which stands on the site"),
        ("k" * 42, "too short"),
        ("k" * 44, "too long"),
        (f"{'k' * 42}\n", "a line end"),
        (f"{'k' * 42}é", "another letter"),
        (f"{'k' * 42}١", "another digit"),
    ],
)
def test_what_is_no_key(typed: str, why: str) -> None:
    assert not is_key(typed), why


@pytest.mark.parametrize(
    ("body", "is_shown", "why"),
    [
        (file_text(VALUE), True, "as it is told"),
        (f"\ufeff{file_text(VALUE)}\r\n", True, "as editors write it"),
        (f"  {file_text(VALUE)}\n\n", True, "with space around it"),
        ("", False, "empty"),
        (VALUE, False, "the value alone: error pages repeat the address, which has it"),
        (f"/lycosa-{VALUE}.txt", False, "such as this one"),
        (f"{file_text(VALUE)} was not found", False, "more than that"),
        (f"lycosa-verification: {VALUE[:-1]}", False, "less than that"),
        (file_text(make_value("https://other.example", KEY)), False, "of the same key on another host"),
        (META, False, "what belongs into a page"),
    ],
)
def test_files(body: str, is_shown: bool, why: str) -> None:
    assert is_in_file(body.encode(), VALUE) is is_shown, why


@pytest.mark.parametrize(
    ("page", "is_shown", "why"),
    [
        (f"<!doctype html><html><head>{META}</head><body>", True, "as it is told"),
        (f"<title>x</title>{META}<p>y", True, "HTML may leave its head out"),
        (META.upper().replace(VALUE.upper(), VALUE), True, "names in capitals"),
        (f'<head><meta content=" {VALUE} " name=" Lycosa-Verification ">', True, "in another order"),
        (f'<head><meta name="lycosa-verification" content="other">{META}', True, "two owners"),
        (f"<head><script>if (1 < 2) f('</p>')</script>{META}", True, "behind a script"),
        (f"<head><title>x</title></head><body>{META}", False, "what a visitor has written"),
        (f"<p>hello</p>{META}", False, "likewise, where the head is left out"),
        (f"<head></head>{META}", False, "behind the head"),
        (f"<head><!-- {META} -->", False, "a comment"),
        (f"<head><title>{META}</title>", False, "a title that repeats what was asked"),
        (f"<head><script>{META}</script>", False, "a script"),
        (f"<head><style>{META}</style>", False, "a style"),
        (f"<head><template>{META}</template>", False, "a template is no part of the page"),
        (f'<head><meta name="{META}">', False, "an attribute"),
        (f'<head><meta property="lycosa-verification" content="{VALUE}">', False, "no name"),
        (f'<head><meta name="x" name="lycosa-verification" content="{VALUE}">', False, "the first counts"),
        (META.replace(VALUE, make_value("https://other.example", KEY)), False, "another host's"),
        (META.replace(VALUE, VALUE.upper()), False, "another value"),
        (f"<head><![ x>{META}", True, "a bogus comment (HTML, 13.2.5.42), at which Python raises"),
        (f"<head><![x[ {META}", False, "one that ends with the element: found by junk, as the row before"),
        (f"<head><![CDATA[x]]>{META}", True, "one of XML's"),
        ("<head><![*", False, "one without an end"),
        ("<head>", False, "none"),
        ("", False, "nothing"),
    ],
)
def test_pages(page: str, is_shown: bool, why: str) -> None:
    assert is_in_page(page.encode(), VALUE) is is_shown, why


@given(st.binary(max_size=400))
def test_any_bytes_are_read(body: bytes) -> None:
    assert not is_in_page(body, VALUE)
    assert not is_in_file(body, VALUE)
