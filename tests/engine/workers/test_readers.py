"""Reading in another process: the same readings, and a page that kills its reader kills nothing else."""

import asyncio
import gzip
import os
import signal
import subprocess
import zlib
from collections.abc import Callable, Coroutine
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import Duplicates
from engine.errors import PageError
from engine.model.page import Reading
from engine.packing.packing import unpack_links
from engine.url import NO_ALIASES, Aliases, KnownHost, canonicalize
from engine.workers.body import ReadingOptions, read_body
from engine.workers.frames import decode_frame, decode_reading, encode_frame, encode_reading
from engine.workers.readers import PIECE, ReaderPool
from tests.running import END_SECONDS
from tests.warm import Fork
from tests.web.scripted import prose

BODY = b"<html lang=en><title>T</title><p>Some text. <a href=/a>one</a><a href=/b rel=nofollow>two</a>"
URL = "http://h.example/"
HIGH_WATER = 1 << 16  # bytes that asyncio keeps for a socket before it asks for a pause


@pytest.fixture(autouse=True)
def readers_are_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a new process needs a second for; test_readers_ends.py and test_sandbox.py start real ones."""
    monkeypatch.setattr(
        "engine.workers.readers.subprocess", SimpleNamespace(Popen=Fork, PIPE=subprocess.PIPE)
    )


def in_loop(work: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(work, END_SECONDS))


@pytest.mark.requirement(11)
def test_a_reading() -> None:
    """Nofollow links are not to be followed, of a nofollow page none."""
    assert read_body(BODY, URL, "text/html", []).outlinks == ("http://h.example/a",)
    assert read_body(BODY, URL, "text/html", [("x-robots-tag", "nofollow")]).outlinks == ()


def test_readings_come_back_as_they_are_and_in_order() -> None:
    async def work() -> None:
        readers = ReaderPool()
        urls = [f"http://h.example/{n}" for n in range(40)]
        bodies = [BODY + b"x" * 40_000 * (n % 7) for n in range(40)]
        asked = [readers.read(body, url, "text/html", []) for body, url in zip(bodies, urls, strict=True)]
        found = await asyncio.gather(*asked)
        readers.close()
        for body, url, one in zip(bodies, urls, found, strict=True):
            here = read_body(body, url, "text/html", [])
            assert (tuple(one.outlinks), one.content) == (here.outlinks, here.content)
            assert tuple(one.near) == here.near

    in_loop(work())


def test_the_least_busy_reader_gets_the_next_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many pages are read at a time as there are processes."""
    monkeypatch.setattr("engine.workers.readers.NUMBER", 2)

    async def work() -> None:
        readers = ReaderPool()
        asked = [asyncio.create_task(readers.read(BODY, URL, "text/html", [])) for _ in range(4)]
        await asyncio.sleep(0)
        assert [len(reader.waiting) for reader in readers._readers] == [2, 2]
        await asyncio.gather(*asked)
        readers.close()

    in_loop(work())


@pytest.mark.slow
def test_what_waits_is_not_copied() -> None:
    """A body that waits for its reader is in memory once, however large it is, and how many of them wait."""

    async def work() -> None:
        readers = ReaderPool()
        bodies = [BODY + bytes([65 + n]) * 3_000_000 for n in range(10)]
        asked = [asyncio.create_task(readers.read(body, URL, "text/html", [])) for body in bodies]
        most = 0
        while not all(one.done() for one in asked):
            await asyncio.sleep(0.001)
            transports = [one._transport for one in readers._readers if one._transport]
            most = max(most, *(one.get_write_buffer_size() for one in transports), 0)
        readers.close()
        assert [one.result().fingerprint for one in asked]
        assert 0 < most <= PIECE + HIGH_WATER

    in_loop(work())


def test_an_answer_to_what_was_not_asked_ends_its_reader() -> None:
    """As of a reader that a page took over: it answers for no page that it never saw."""

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        (reader,) = (one for one in readers._readers if one._transport)
        first, reader._is_full = reader._process.pid, True  # what is asked now waits here
        asked = asyncio.create_task(readers.read(BODY, URL, "text/html", []))
        await asyncio.sleep(0)
        reader.data_received(encode_frame({"error": "soft"}, b""))
        with pytest.raises(PageError, match="too much"):
            await asked
        assert reader._process.pid == first, "it is ended, and no other is needed yet"
        readers.close()

    in_loop(work())


@pytest.mark.requirement(57, 58)
def test_readers_know_which_pages_count_as_copies() -> None:
    """Exact mode, and links as a part of the fingerprint, reach their processes."""
    body, wanted = LINKED + prose("text").encode(), Duplicates(near_duplicates=False, require_same_links=True)

    async def work() -> None:
        readers = ReaderPool(duplicates=wanted)
        there = await readers.read(body, URL, "text/html", [])
        readers.close()
        here = read_body(body, URL, "text/html", [], ReadingOptions(duplicates=wanted))
        assert (there.fingerprint, tuple(there.near)) == (here.fingerprint, ())

    in_loop(work())
    usual = read_body(body, URL, "text/html", [])
    assert usual.near
    other = read_body(body, URL, "text/html", [], ReadingOptions(duplicates=wanted))
    assert usual.fingerprint != other.fingerprint


LINKED = b"<a href=/A?utm_source=x>one</a><a href=http://www.h.example/b>two</a><a href=/b>three</a>"
KNOWN = KnownHost((URL[:-1],), ("http://www.h.example",), True, ("index.html",), ("sid",))


@pytest.mark.requirement(32, 37, 266, 300, 301)
@pytest.mark.parametrize(
    ("aliases", "targets", "why"),
    [
        (NO_ALIASES, ["/A", "http://www.h.example/b", "/b"], "requirement 37: tracking goes from every host"),
        (Aliases((KNOWN,)), ["/a", "/b", "/b"], "requirement 32: what the operator knows of a host"),
        (
            NO_ALIASES.with_twins([("http://www.h.example", URL[:-1])]),
            ["/A", "/b", "/b"],
            "requirement 266: what the crawl has learned",
        ),
        (Aliases(tracking=()), ["/A?utm_source=x", "http://www.h.example/b", "/b"], "as it is written"),
    ],
)
def test_links_count_for_the_page_that_they_mean(aliases: Aliases, targets: list[str], why: str) -> None:
    """In this process and in a reader's; what is followed is what counts."""
    wanted = [canonicalize(target, URL) for target in targets]

    async def work() -> None:
        known = NO_ALIASES
        readers = ReaderPool(lambda: known)
        await readers.read(LINKED, URL, "text/html", [])
        known = aliases  # twins are learned while the readers run
        there = await readers.read(LINKED, URL, "text/html", [])
        readers.close()
        here = read_body(LINKED, URL, "text/html", [], ReadingOptions(aliases.resolve))
        assert there.content == here.content
        for one in (here, there):
            assert unpack_links(one.content).urls == wanted, why
            assert list(one.outlinks) == list(dict.fromkeys(wanted))

    in_loop(work())


@pytest.mark.requirement(32)
def test_a_reader_that_is_started_anew_is_told_again() -> None:
    """The first died of its page."""

    async def work() -> None:
        known = Aliases((KNOWN,))
        readers = ReaderPool(lambda: known)
        for _ in range(2):
            assert list((await readers.read(LINKED, URL, "text/html", [])).outlinks) == [f"{URL}a", f"{URL}b"]
            os.kill(readers._readers[0]._process.pid, signal.SIGKILL)
            while readers._readers[0]._transport:
                await asyncio.sleep(0)
        readers.close()

    in_loop(work())


def test_a_page_that_nobody_can_read() -> None:
    async def work() -> None:
        readers = ReaderPool()
        with pytest.raises(PageError, match="type"):
            await readers.read(b"\x89PNG", URL, "image/png", [])
        assert isinstance(await readers.read(BODY, URL, "text/html", []), Reading)
        readers.close()

    in_loop(work())


def test_a_reader_that_dies_takes_one_page_with_it() -> None:
    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        for reader in readers._readers:
            if reader._transport:
                os.kill(reader._process.pid, signal.SIGSTOP)
        asked = [asyncio.ensure_future(readers.read(BODY, URL, "text/html", [])) for _ in range(8)]
        await asyncio.sleep(0)
        for reader in readers._readers:
            if reader._transport:
                os.kill(reader._process.pid, signal.SIGKILL)
        found = await asyncio.gather(*asked, return_exceptions=True)
        readers.close()
        dead = [one for one in found if isinstance(one, PageError)]
        assert [error.kind for error in dead] == ["reading took too long or too much memory"] * len(dead)
        assert 1 <= len(dead) <= len(readers._readers)
        assert len([one for one in found if isinstance(one, Reading)]) == 8 - len(dead)

    in_loop(work())


@given(st.dictionaries(st.text(), st.text()), st.binary(), st.integers(1, 9))
def test_frames_survive_any_cut(fields: dict[str, str], blob: bytes, step: int) -> None:
    message = encode_frame(fields, blob) * 2
    received, found = bytearray(), []
    for start in range(0, len(message), step):
        received += message[start : start + step]
        while one := decode_frame(received):
            found.append(one)
    assert found == [(fields, blob)] * 2
    assert not received


def test_an_answer_is_a_frame() -> None:
    fields, content = decode_frame(bytearray(encode_reading(read_body(BODY, URL, "text/html", [])))) or (
        {},
        b"",
    )
    assert fields["outlinks"] == ["http://h.example/a"]
    assert content


@pytest.mark.requirement(82, 84, 218, 224, 226)
def test_what_the_owner_asks_crosses_the_socket() -> None:
    head = b"<meta name=revisit-after content='10 days'><link rel=canonical href=/c>"
    headers = [("refresh", "0;url=/m"), ("x-robots-tag", "max-snippet: 9, unavailable_after: 2010-06-25")]
    here = read_body(head + BODY, f"{URL}x", "text/html", headers)
    there = decode_reading(*(decode_frame(bytearray(encode_reading(here))) or ({}, b"")))
    assert there.directives == here.directives
    assert (there.directives.max_snippet, there.directives.unavailable_after) == (9, 1277424000.0)
    assert (there.canonical, there.moved_to) == (f"{URL}c", f"{URL}m")
    assert there.revisit_seconds == 864_000.0


def test_what_was_cut_crosses_the_socket() -> None:
    here = read_body(b"this and that of which " * 100_000, URL, "text/plain", [])
    assert here.cut
    assert decode_reading(*(decode_frame(bytearray(encode_reading(here))) or ({}, b""))).cut


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, lambda body: zlib.compress(body)[2:-4]])
def test_packed_bodies_are_unpacked_where_they_are_read(pack: Callable[[bytes], bytes]) -> None:
    """And readings and sitemaps are the same."""
    body, sitemap = BODY + b" more of it" * 9_999, f"{URL}a\n{URL}b\n".encode()

    async def work() -> None:
        readers = ReaderPool()
        there = await readers.read(pack(body), URL, "text/html", [], unpacked=len(body))
        entries = (await readers.sitemap(pack(sitemap), f"{URL}s.txt", unpacked=len(sitemap))).entries
        readers.close()
        assert there.content == read_body(body, URL, "text/html", []).content
        assert [entry.loc for entry in entries] == [f"{URL}a", f"{URL}b"]

    in_loop(work())
