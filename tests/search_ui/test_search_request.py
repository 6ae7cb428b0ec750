"""Form fields to one question."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from search_ui.search_request import MAX_BODY_BYTES, MAX_TYPED, SearchRequest, parse_search_request

FORM = b"application/x-www-form-urlencoded"


def ask(query: bytes) -> SearchRequest:
    """What a GET with this query string asks."""
    scope = {"type": "http", "method": "GET", "query_string": query, "headers": []}
    return asyncio.run(parse_search_request(Request(scope)))


def post(receive: Callable[[], Awaitable[Message]], media_type: bytes = FORM) -> SearchRequest:
    """What a POST whose body comes from `receive` asks."""
    headers = [(b"content-type", media_type)]
    scope = {"type": "http", "method": "POST", "query_string": b"q=address", "headers": headers}
    return asyncio.run(parse_search_request(Request(scope, receive)))


def arriving(*messages: Message) -> Callable[[], Awaitable[Message]]:
    """A body that comes in these messages."""
    left = iter(messages)

    async def receive() -> Message:
        return next(left)

    return receive


@pytest.mark.requirement(295, 297)
@pytest.mark.parametrize(
    ("query", "typed", "why"),
    [
        (b"q=drill", "drill", "the field of our own form"),
        (b"query=drills", "drills", "requirement 295 writes query="),
        (b"query=b&q=a", "a", "q goes before query"),
        (b"q=&query=b", "b", "an empty q is no q"),
        (b"q=a&q=b", "a", "the first of a repeated field counts"),
        (b"q=a+b%20c", "a b c", "plus and percent (requirement 297)"),
        (b"q=%D0%BF%D0%B0%D1%83%D0%BA", "паук", "Cyrillic (requirement 297)"),
        (b"q=%D8%B9%D9%86%DA%A9%D8%A8%D9%88%D8%AA", "عنکبوت", "Persian (requirement 297)"),
        (b"q=%E8%9C%98%E8%9B%9B", "蜘蛛", "Chinese (requirement 297)"),
        (b"q=za%C5%BC%C3%B3%C5%82%C4%87", "zażółć", "Polish (requirement 297)"),
        ("q=паук".encode(), "паук", "UTF-8 that nobody encoded"),
        (b"q=a%FFb", "a\N{REPLACEMENT CHARACTER}b", "a byte that is not UTF-8"),
        (b"q=a%ED%A0%80", "a" + 3 * "\N{REPLACEMENT CHARACTER}", "a lone surrogate is not UTF-8"),
        (b"q=a%00b%0D%0Ac%7F", "a b  c", "controls part words"),
        (b"q=%E2%80%AEnekat%E2%80%AC", "nekat", "a right-to-left override is not typed"),
        (b"q=%D9%85%DB%8C%E2%80%8C%D8%B1%D9%88%D8%AF", "می\u200cرود", "the non-joiner is spelling"),
        (b"q=%00%20", "", "nothing but space"),
        (b"", "", "nothing at all"),
        (b"page=2&q=x;y%26z", "x;y&z", "only & parts fields"),
        (b"&&=&q", "", "no field has a value"),
    ],
)
def test_words_typed(query: bytes, typed: str, why: str) -> None:
    assert ask(query).typed == typed, why


@pytest.mark.parametrize(
    ("query", "page", "size", "why"),
    [
        (b"q=a", 1, 10, "the first page, ten hits"),
        (b"q=a&page=3", 3, 10, "a page asked for"),
        (b"q=a&page=&size=", 1, 10, "an empty field is no field"),
        (b"q=a&page=100&size=100", 100, 100, "the limits themselves"),
        (b"q=a&page=2&page=abc", 2, 10, "the first of a repeated field counts"),
        (b"q=a&page=007", 7, 10, "noughts in front change no number"),
    ],
)
def test_numbers(query: bytes, page: int, size: int, why: str) -> None:
    asked = ask(query)
    assert (asked.page, asked.size) == (page, size), why


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (b"page=abc", "no number"),
        (b"page=0", "pages count from 1"),
        (b"page=-1", "pages count from 1"),
        (b"page=101", "past MAX_PAGE"),
        (b"page=1" + 30 * b"0", "larger than any index"),
        (b"page=" + 5_000 * b"9", "longer than int() takes"),
        (b"page=1.5", "not whole"),
        (b"page=%D9%A2", "a digit of another script"),
        (b"page=1_0", "int() would take it"),
        (b"page=1%00", "NUL"),
        (b"size=0", "no hits are no answer"),
        (b"size=101", "past MAX_SIZE"),
        (33 * b"a=b&", "past MAX_FIELDS"),
    ],
)
def test_bad_numbers_are_refused(query: bytes, why: str) -> None:
    with pytest.raises(HTTPException) as refused:
        ask(b"q=a&" + query)
    assert refused.value.status_code == 400, why


def test_long_words_are_cut_and_it_is_said() -> None:
    assert ask(b"q=" + MAX_TYPED * b"a") == SearchRequest(MAX_TYPED * "a")
    assert ask(b"q=" + MAX_TYPED * b"a" + b"b") == SearchRequest(MAX_TYPED * "a", cut=True)


@pytest.mark.requirement(296)
@given(st.binary(max_size=200) | st.binary(max_size=50).map(lambda junk: b"q=" + junk + b"&page=" + junk))
@settings(max_examples=200)
def test_junk_is_read_or_refused(junk: bytes) -> None:
    """Nothing typed breaks anything."""
    try:
        typed = ask(junk).typed
    except HTTPException:
        return
    assert typed == typed.strip()
    assert "\x00" not in typed


@pytest.mark.requirement(295)
def test_a_posted_body_may_come_in_parts() -> None:
    """The address of a POST asks nothing."""
    parts = arriving(
        {"type": "http.request", "body": b"q=dri", "more_body": True},
        {"type": "http.request", "body": b"ll&page=2", "more_body": False},
    )
    assert post(parts) == SearchRequest("drill", page=2)


@pytest.mark.parametrize(
    ("message", "media_type", "status", "why"),
    [
        ({"type": "http.disconnect"}, FORM, 400, "the client went away"),
        ({"type": "http.request", "body": b"q=a"}, b"multipart/form-data", 415, "not our form"),
        ({"type": "http.request", "body": b"q=a"}, b"", 415, "no type at all"),
        ({"type": "http.request", "body": (MAX_BODY_BYTES + 1) * b"a"}, FORM, 413, "past MAX_BODY_BYTES"),
        ({"type": "http.request", "body": MAX_BODY_BYTES * b"a"}, FORM, 200, "the limit itself"),
        ({"type": "http.request", "body": b"q=a"}, FORM + b"; charset=utf-8", 200, "with a parameter"),
    ],
)
def test_posted_bodies(message: Message, media_type: bytes, status: int, why: str) -> None:
    answered = 200
    try:
        post(arriving(message), media_type)
    except HTTPException as refused:
        answered = refused.status_code
    assert answered == status, why
