"""The second step of canonical URLs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import load_config
from engine.url import NO_ALIASES, TRACKING_PARAMS, Aliases, KnownHost, are_twins, canonicalize
from tests.engine.url.test_canonical import odd_urls
from tests.tables import table

H = KnownHost(("http://h", "https://h"), ("http://www.h:8080", "https://192.0.2.1"))


@pytest.mark.requirement(27, 28, 29, 30, 31, 32, 35, 37, 43, 266)
@pytest.mark.parametrize(("one", "other", "known", "same", "why"), table("aliases.json"))
def test_aliases_a_to_f(tmp_path: Path, one: str, other: str, known: str, same: bool, why: str) -> None:
    """Syntax tells of a, b and c; the rest is for those who know the server."""
    file = tmp_path / "crawl.toml"
    file.write_text(f'[[host]]\nname = "h"\n{known}' if known else "", encoding="utf-8")
    settled = load_config({"CRAWL_TOML": str(file), "DATA_DIR": ""}).aliases.resolve
    first, second = canonicalize(one), canonicalize(other)
    assert (settled(first) == settled(second)) is same, why
    assert (first == second) is (same and not known), "requirement 35: canonicalization is syntax alone"


@pytest.mark.requirement(32)
@pytest.mark.parametrize(
    ("host", "url", "settled", "why"),
    [
        (H, "http://www.h:8080/x?a#", "http://h/x?a", "an alias of one scheme"),
        (H, "https://192.0.2.1/", "https://h/", "the host of the same scheme"),
        (KnownHost(("https://h",), ("http://h",)), "http://h/x", "https://h/x", "http folded into https"),
        (KnownHost(("https://h:8443",), ("http://g",)), "http://g/", "https://h:8443/", "a host with a port"),
        (H, "http://g/?sid=1", "http://g/?sid=1", "a host that nobody knows"),
        (H, "http://h/?u=http://www.h:8080/", "http://h/?u=http://www.h:8080/", "only the URL's own host"),
    ],
)
def test_the_host_that_stands_for_its_aliases(host: KnownHost, url: str, settled: str, why: str) -> None:
    """C19."""
    assert Aliases((host,)).resolve(canonicalize(url)) == settled, why


@pytest.mark.requirement(32)
@pytest.mark.parametrize(
    ("one", "other", "twins", "why"),
    [
        ("http://h.example", "https://h.example", True, "requirement 32: with and without TLS"),
        ("http://h.example", "http://www.h.example", True, "requirement 32: with and without www"),
        ("https://www.h.example", "http://h.example", True, "both"),
        ("http://h.example", "http://h.example", False, "one is no two"),
        ("http://h.example", "http://g.example", False, "two names"),
        ("http://h.example", "http://www2.h.example", False, "another machine, as like as not"),
        ("http://h.example", "http://wwwh.example", False, "no part of the name"),
        (
            "http://h.example:8080",
            "https://h.example:8080",
            False,
            "a port is a server of its own",
        ),
        ("http://h.example", "http://h.example:8080", False, "a port of its own"),
        ("http://[::1]", "https://[::1]", True, "addresses have no www"),
    ],
)
def test_which_hosts_may_be_twins(one: str, other: str, twins: bool, why: str) -> None:
    assert are_twins(one, other) is are_twins(other, one) is twins, why


@pytest.mark.requirement(30, 32)
def test_a_twin_stands_for_a_host_and_what_that_stood_for() -> None:
    """And what the operator knows of it holds for all of them."""
    aliases = Aliases((KnownHost(("https://h",), ignore_case=True),)).with_twins(
        [("http://www.h", "http://h"), ("http://h", "https://h")]
    )
    assert {aliases.resolve(f"{host}/A?b") for host in ("http://www.h", "http://h", "https://h")} == {
        "https://h/a?b"
    }
    assert (aliases.twin("http://www.h"), aliases.twin("https://h")) == ("https://h", "")
    assert (aliases.twin_of("http://h/A"), aliases.twin_of("https://h/A")) == ("https://h/A", "")
    assert (aliases.knows("https://h"), aliases.knows("http://h")) == (True, False)


@pytest.mark.requirement(37)
@pytest.mark.parametrize(
    ("query", "settled", "why"),
    [
        ("?utm_source=a&utm_medium=b", "", "nothing else was asked"),
        ("?utm_id=a&page=2", "?page=2", "at the beginning"),
        ("?page=2&fbclid=IwAR0", "?page=2", "at the end"),
        ("?b=1&gclid=x&a=2", "?b=1&a=2", "in the middle: the others keep their order"),
        ("?utm%5Fsource=a", "", "however it was escaped"),
        ("?utm=1&xgclid=2&fbclid2=3", "?utm=1&xgclid=2&fbclid2=3", "names that only look like them"),
        ("?q=utm_source", "?q=utm_source", "a value is no name"),
        ("?ref=a&source=b&cid=c", "?ref=a&source=b&cid=c", "words that may mean the page"),
        ("?", "?", "an empty query is a query (RFC 3986, 6.2.3)"),
        ("?&&utm_source=a", "?&", "what is empty is nobody's"),
    ],
)
def test_tracking_parameters_go_from_every_host(query: str, settled: str, why: str) -> None:
    url = canonicalize(f"https://h.example/a{query}")
    assert NO_ALIASES.resolve(url) == f"https://h.example/a{settled}", why
    assert Aliases(tracking=()).resolve(url) == url, "an operator may want to keep them"


@pytest.mark.requirement(37)
def test_a_known_host_has_no_tracking_parameters_either() -> None:
    """Those of every host, and its own."""
    known = KnownHost(("http://h",), drop_params=("sid",))
    assert Aliases((known,)).resolve("http://h/?sid=1&utm_source=2&a=3") == "http://h/?a=3"


PARAMS = st.sampled_from(["sid=1", "utm_source=x", "gclid", "a=1", "", "=", "sessx=%26", "Sid=", "a=b=c"])
URLS = st.builds(
    lambda host, path, query: f"{host}/{'/'.join(path)}{'?' if query else ''}{'&'.join(query)}",
    st.sampled_from(["http://h", "https://h", "http://www.h:8080", "http://g", "https://192.0.2.1"]),
    st.lists(st.sampled_from(["A", "b", "index.html", "INDEX.HTML", "%C3%84", "%2f", "%zZ", "~", ""])),
    st.lists(PARAMS),
) | odd_urls.map(lambda text: f"http://h/{text}")
KNOWN = st.builds(
    KnownHost,
    st.just(H.hosts) | st.just(H.hosts[:1]),
    st.just(H.aliases),
    st.booleans(),
    st.sampled_from([(), ("index.html",), ("Index.html", "b")]),
    st.sampled_from([(), ("sid",), ("sess*", "a"), ("*",)]),
)
ALIASES = st.builds(
    Aliases,
    st.just(()) | st.tuples(KNOWN),
    st.sampled_from([(), TRACKING_PARAMS, ("a", "utm_*")]),
    st.sampled_from([(), (("http://g", "https://h"),)]),
)


@pytest.mark.requirement(34)
@given(ALIASES, URLS | odd_urls)
def test_a_settled_url_is_canonical_and_stays_as_it_is(aliases: Aliases, raw: str) -> None:
    """Idempotent: f(f(u)) = f(u), for both steps together; and no exception."""
    try:
        url = canonicalize(raw)
    except ValueError:
        return
    settled = aliases.resolve(url)
    assert aliases.resolve(settled) == settled
    assert canonicalize(settled) == settled


@pytest.mark.requirement(35)
@given(URLS)
def test_without_knowledge_only_tracking_parameters_go(raw: str) -> None:
    """What is no syntax is left alone."""
    try:
        url = canonicalize(raw)
    except ValueError:
        return
    place, mark, query = url.partition("?")
    tracked = ("utm_source", "gclid")
    kept = [pair for pair in query.split("&") if pair.partition("=")[0] not in tracked]
    assert NO_ALIASES.resolve(url) == place + mark * ("&".join(kept) != "" or query == "") + "&".join(kept)
