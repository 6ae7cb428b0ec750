"""What an operator may remove, and what a list of removals refuses."""

from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from engine.database import open_database, urls
from engine.errors import EngineError
from engine.store.blocklist import (
    Block,
    Blocklist,
    Extent,
    Target,
    add_block,
    lift_block,
    load_blocklist,
    load_blocks,
    parse_target,
)
from engine.store.removals import LAST, match_target

pytestmark = pytest.mark.requirement(49)

URL, HOST, PREFIX = Extent.URL, Extent.HOST, Extent.PREFIX


@pytest.mark.parametrize(
    ("typed", "extent", "text", "why"),
    [
        ("https://h.example/a", URL, "https://h.example/a", "a URL"),
        ("HTTPS://H.example:443/%7ea#top", URL, "https://h.example/~a", "in its canonical spelling"),
        ("https://h.example/", URL, "https://h.example/", "with its slash the home page alone"),
        ("https://h.example/.", URL, "https://h.example/", "in doubt the smaller part"),
        ("https://h.example\\", URL, "https://h.example/", "as browsers read it"),
        ("https://h.example?q=1", URL, "https://h.example/?q=1", "a query is more than a host"),
        ("https://h.example", HOST, "https://h.example", "one host"),
        ("http://h.example:8080", HOST, "http://h.example:8080", "a port is a host of its own"),
        ("H.Example", HOST, "h.example", "a name: all its schemes and ports"),
        ("[::1]", HOST, "[::1]", "an address is a name"),
        ("https://h.example/shop/*", PREFIX, "https://h.example/shop/", "what is below a directory"),
        ("https://h.example/a?id=*", PREFIX, "https://h.example/a?id=", "what a query begins with"),
        ("https://h.example/*", PREFIX, "https://h.example/", "all of a host"),
        ("https://h.example/.*", PREFIX, "https://h.example/.", "a dot is no segment yet"),
        ("https://h.example/b/..*", PREFIX, "https://h.example/b/..", "nor are two"),
        ("https://h.example/a#*", URL, "https://h.example/a", "a fragment is no part of a URL"),
    ],
)
def test_target(typed: str, extent: Extent, text: str, why: str) -> None:
    assert parse_target(typed) == Target(extent, text), why


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "nothing"),
        ("*", "everything"),
        ("*.h.example", "names are whole"),
        ("https://*.h.example/", "names are whole"),
        ("https://h.exam*", "a prefix of names would take strangers with it"),
        ("h.example/shop", "neither host nor URL"),
        ("h.example:80", "a name has no port: http or https?"),
        ("ftp://h.example/", "no http(s) URL"),
        ("https://a:b@h.example/", "a URL with a password"),
        ("two words", "no name"),
        ("http://", "no host"),
    ],
)
def test_what_is_no_target(typed: str, why: str) -> None:
    with pytest.raises(EngineError, match="write a URL"):
        parse_target(typed)


@given(st.text(st.sampled_from("htps:/.ex*?#%2@[]\\ \n\x00é"), max_size=30) | st.text())
def test_junk_is_refused_in_one_sentence(typed: str) -> None:
    for text in (typed, f"http://{typed}", f"http://h.example/{typed}", f"http://h.example/{typed}*"):
        with suppress(EngineError):
            parse_target(text)


@pytest.mark.parametrize(
    ("typed", "refused", "admitted"),
    [
        ("http://h.example/a", ["http://h.example/a"], ["http://h.example/a/", "http://h.example/a?b"]),
        (
            "h.example",
            ["http://h.example/", "https://h.example/a", "http://h.example:8080/a"],
            ["http://h.example.org/", "http://www.h.example/", "http://o.example/?http://h.example/"],
        ),
        ("http://h.example", ["http://h.example/a"], ["https://h.example/a", "http://h.example:8080/a"]),
        ("http://h.example/a/*", ["http://h.example/a/", "http://h.example/a/b"], ["http://h.example/a"]),
    ],
)
def test_refusal(typed: str, refused: list[str], admitted: list[str]) -> None:
    blocklist = Blocklist.of([parse_target(typed)])
    assert [url for url in refused + admitted if blocklist.refuses(url)] == refused


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("http://h.example/", False),
        ("http://h.example/*", True),
        ("h.example", True),
        ("http://h.example/r*", False),
    ],
)
def test_only_a_host_that_is_removed_as_a_whole_is_not_asked_for_robots_txt(typed: str, whole: bool) -> None:
    assert Blocklist.of([parse_target(typed)]).refuses_host("http://h.example") is whole


paths = st.text("ab/", max_size=6)
hosts = st.sampled_from(["http://h.example", "https://h.example", "http://h.example:8080", "http://h"])
names = st.sampled_from(["h.example", "h"])
targets = st.one_of(
    st.builds(lambda host, path: Target(URL, f"{host}/{path}"), hosts, paths),
    st.builds(lambda host, path: Target(PREFIX, f"{host}/{path}"), hosts, paths),
    st.builds(lambda host: Target(HOST, host), hosts | names),
)


@given(st.lists(targets), hosts, paths)
def test_a_blocklist_refuses_what_one_of_its_targets_holds(some: list[Target], host: str, path: str) -> None:
    url = f"{host}/{path}"
    held = any(url == one.text if one.extent is URL else url.startswith(one.prefixes) for one in some)
    assert Blocklist.of(some).refuses(url) is held


def test_the_database_finds_what_the_blocklist_refuses(tmp_path: Path) -> None:
    """One rule for what is purged and what is refused."""
    known = [
        f"{host}/{path}"
        for host in ("http://h", "http://h:1", "https://hh", "http://g")
        for path in ("", "a", "b")
    ]
    engine = open_database(tmp_path)
    with engine.begin() as connection:
        rows = [{"url": url, "host_id": 1, "state": "queued", "found_at": 0.0} for url in known]
        connection.execute(sa.insert(urls), rows)
        for typed in ("h", "http://h", "http://h/a", "http://h/*", "http://h:1/a*", "nobody"):
            target = parse_target(typed)
            found = connection.execute(sa.select(urls.c.url).where(match_target(target))).scalars().all()
            assert sorted(found) == sorted(filter(Blocklist.of([target]).refuses, known)), typed
    engine.dispose()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_sorts_after_the_last(rest: str) -> None:
    assert rest.encode() <= LAST.encode() + rest.encode()
    assert f"http://h/{rest}".encode() <= f"http://h/{LAST}{rest}".encode()


@pytest.mark.requirement(50)
def test_the_list_keeps_every_removal(tmp_path: Path) -> None:
    """Reason, date and contact stay, undone or not."""
    engine = open_database(tmp_path)
    with engine.begin() as connection:
        first, second = parse_target("http://h.example/a"), parse_target("h.example")
        assert add_block(connection, first, "asked", "a@h.example", 10.0) == 1
        assert add_block(connection, second, "by law", "", 20.0) == 2
        both = load_blocklist(connection)
        assert load_blocklist(connection, both) is both, "nobody has changed it"
        lifted = lift_block(connection, 1, 30.0)
        assert load_blocks(connection) == [
            Block(1, first, "asked", "a@h.example", 10.0, 30.0),
            Block(2, second, "by law", "", 20.0, None),
        ]
        assert lifted == load_blocks(connection)[0]
        left = load_blocklist(connection, both)
        assert (left.urls, left.refuses("http://h.example/a")) == (frozenset(), True)
        for number in (1, 3, -1):
            with pytest.raises(EngineError, match=f"there is no removal {number} in force"):
                lift_block(connection, number, 40.0)
    engine.dispose()
