"""What the owner of a host may remove: what is of the host, and nothing else."""

import pytest

from engine.errors import EngineError
from engine.ownership.owner_removals import parse_own_target
from engine.store import Extent

HOST = "https://www.example.org"


@pytest.mark.requirement(285)
@pytest.mark.parametrize(
    ("typed", "extent", "text"),
    [
        (f"{HOST}/page", Extent.URL, f"{HOST}/page"),
        ("/page?a=b", Extent.URL, f"{HOST}/page?a=b"),
        ("/", Extent.URL, f"{HOST}/"),
        ("/shop/*", Extent.PREFIX, f"{HOST}/shop/"),
        (f"{HOST}/*", Extent.PREFIX, f"{HOST}/"),
        (HOST, Extent.HOST, HOST),
        ("https://WWW.Example.org:443/Page", Extent.URL, f"{HOST}/Page"),
        (f"{HOST}/a/../b", Extent.URL, f"{HOST}/b"),
    ],
)
def test_own_targets(typed: str, extent: Extent, text: str) -> None:
    target = parse_own_target(HOST, typed)
    assert (target.extent, target.text) == (extent, text)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "nothing"),
        ("www.example.org", "any scheme and port"),
        ("http://www.example.org/", "another scheme"),
        ("http://www.example.org", "all of another scheme"),
        (f"{HOST}:8443/", "another port"),
        (f"{HOST}.evil.example/", "another host that begins so"),
        (f"{HOST}*", "a prefix of other hosts"),
        (f"{HOST}.*", "likewise"),
        ("https://*", "everything"),
        ("https://www.*/", "any"),
        ("*", "anything"),
        ("//other.example/", "another host without a scheme"),
        ("/\\other.example/", "a path for us"),
        (f"{HOST}@other.example/", "a name before another host"),
        (f"{HOST}\\@other.example/*", "the same as browsers do not read it"),
        ("javascript:alert(1)", "no URL"),
        ("\0", "junk"),
    ],
)
def test_those_of_others(typed: str, why: str) -> None:
    try:
        target = parse_own_target(HOST, typed)
    except EngineError:
        return
    assert target.text.startswith(f"{HOST}/"), why
    assert target.prefixes in ((), (target.text,)), why
