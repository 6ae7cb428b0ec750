"""Sessions, over answers that are scripted: when there is a new login, and when a host is given up."""

import asyncio
from collections.abc import Callable

import pytest
from scrapy import Request
from scrapy.http import Response

from engine.config import Login
from engine.crawl import LOGIN_FAILED, NEEDS_LOGIN
from engine.errors import PageError
from engine.login.session import MAX_REFUSED, MAX_VAIN, NO_LOGIN_NOW, VAIN_SECONDS, Session
from tests.crawling import Clock

HOST = "http://h.example"
FORM = b"<form method=post><input name=user><input type=password name=word></form>"
Answers = Callable[[Request], int]


class Host:
    """A host that answers pages with a status; `asked` are the requests, logins counted apart."""

    def __init__(self, status: Answers, login: int = 200) -> None:
        self.status, self.login = status, login
        self.asked = list[str]()
        self.logins = 0

    async def send(self, request: Request) -> Response:
        await asyncio.sleep(0)  # others have their turn
        if request.url == f"{HOST}/login":
            self.logins += request.method == "POST"
            return Response(request.url, self.login, body=b"ok" if request.method == "POST" else FORM)
        self.asked.append(request.url.removeprefix(HOST))
        return Response(request.url, self.status(request))


def session(kind: str, clock: Clock) -> Session:
    return Session(Login(HOST, kind, url=f"{HOST}/login", user="u"), "secret", clock=clock)


def ask(one: Session, host: Host, *paths: str) -> list[int | str]:
    """Asks for all pages at once; each one's status, or why there is none."""

    async def fetch(path: str) -> int | str:
        try:
            return (await one.fetch(Request(HOST + path), host.send)).status
        except PageError as error:
            return error.kind

    async def all_at_once() -> list[int | str]:
        return await asyncio.gather(*map(fetch, paths))

    return asyncio.run(all_at_once())


def test_those_who_meet_the_end_of_a_session_together_log_in_once() -> None:
    host = Host(lambda _: 200 if host.logins % 2 == 0 else 403)
    one = session("form", Clock())
    assert ask(one, host, *(f"/{n}" for n in range(8))) == [200] * 8
    assert host.logins == 2, "at the beginning, and when all eight were told so"


def test_a_page_that_is_not_for_us_costs_a_login_until_it_is_clear_that_there_are_many() -> None:
    host, clock = Host(lambda request: 403 if "no" in request.url else 200), Clock()
    one = session("form", clock)
    for number in range(2 * MAX_VAIN):
        assert ask(one, host, f"/no{number}", f"/{number}") == [403, 200]
    assert host.logins == 1 + MAX_VAIN
    clock.now += VAIN_SECONDS
    ask(one, host, "/no")
    assert host.logins == 2 + MAX_VAIN
    assert one.works
    assert not one.failure


@pytest.mark.parametrize("kind", ["basic", "bearer", "cookies", "certificate"])
def test_the_first_page_that_is_refused_ends_what_cannot_be_renewed(kind: str) -> None:
    host, one = Host(lambda _: 401), session(kind, Clock())
    assert ask(one, host, "/robots.txt") == [LOGIN_FAILED]
    assert ask(one, host, "/a", "/b") == [LOGIN_FAILED] * 2
    assert host.asked == ["/robots.txt"], "nothing more is asked"
    assert one.failure == f"{HOST}/robots.txt: it answers 401"


@pytest.mark.parametrize("kind", ["basic", "cookies"])
def test_later_on_several_pages_have_to(kind: str) -> None:
    host, one = Host(lambda request: 401 if "no" in request.url else 200), session(kind, Clock())
    assert ask(one, host, "/a") == [200]
    for _ in range(MAX_REFUSED):
        assert ask(one, host, "/no1") == [NEEDS_LOGIN], "the same one says nothing new"
    assert ask(one, host, "/no2") == [NEEDS_LOGIN]
    assert ask(one, host, "/b") == [200]
    paths = [f"/no{n}" for n in range(MAX_REFUSED)]
    assert [ask(one, host, path) for path in paths] == [[NEEDS_LOGIN]] * (MAX_REFUSED - 1) + [[LOGIN_FAILED]]


@pytest.mark.parametrize(("status", "kind"), [(503, NO_LOGIN_NOW), (429, NO_LOGIN_NOW), (403, LOGIN_FAILED)])
def test_a_host_in_trouble_is_asked_again_later(status: int, kind: str) -> None:
    host, one = Host(lambda _: 200, login=status), session("form", Clock())
    assert ask(one, host, "/a") == [kind]
    host.login = 200
    assert ask(one, host, "/a") == ([200] if kind == NO_LOGIN_NOW else [LOGIN_FAILED])


def test_what_proves_who_we_are_is_in_a_request_no_longer_than_it_is_sent() -> None:
    request = Request(f"{HOST}/a", headers={"User-Agent": "x"})
    seen = list[bytes | None]()

    async def send(one: Request) -> Response:
        seen.append(one.headers.get(b"Authorization"))
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - nothing else is said
        asyncio.run(session("basic", Clock()).fetch(request, send))
    assert seen == [b"Basic dTpzZWNyZXQ="]
    assert list(request.headers) == [b"User-Agent"]


def test_a_late_answer_of_an_old_session_does_not_end_the_new_one() -> None:
    """A server deletes the cookie of a session that has ended, by an answer that comes after a new login."""
    late, logins, one = asyncio.Event(), list[str](), session("form", Clock())

    async def send(request: Request) -> Response:
        sent, path = (request.headers.get(b"Cookie") or b"").decode(), request.url.removeprefix(HOST)
        if path == "/login" and request.method == "GET":
            return Response(request.url, body=FORM)
        if path == "/login":
            logins.append(path)
            return Response(request.url, headers={"Set-Cookie": f"s={len(logins)}; Path=/"})
        if sent == "s=1" and path == "/late":
            await late.wait()
        if sent == "s=1":
            return Response(request.url, 403, headers={"Set-Cookie": "s=0; Path=/"})
        late.set()
        return Response(request.url, 200 if sent == "s=2" else 403)

    async def both() -> list[int]:
        fetches = (one.fetch(Request(HOST + path), send) for path in ("/late", "/early"))
        return [response.status for response in await asyncio.gather(*fetches)]

    assert asyncio.run(both()) == [200, 200]
    assert len(logins) == 2
