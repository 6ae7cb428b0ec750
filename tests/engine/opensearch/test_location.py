"""Where a cluster is, written on one line that may stand in a file."""

from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.opensearch import ClusterLocation, parse_location


@pytest.mark.parametrize(
    ("text", "nodes", "user", "authority", "why"),
    [
        ("opensearch+https://a.example", [("a.example", 9200)], "", None, "OpenSearch's own port"),
        ("opensearch+https://a.example:443/", [("a.example", 443)], "", None, "behind a proxy"),
        ("opensearch+https://u@a:1,b", [("a", 1), ("b", 9200)], "u", None, "a user, two nodes"),
        ("opensearch+https://u%40x@a", [("a", 9200)], "u@x", None, "a user with an @"),
        ("opensearch+https://[2001:db8::1]:92", [("2001:db8::1", 92)], "", None, "IPv6"),
        ("opensearch+https://a?sslrootcert=/c%20a", [("a", 9200)], "", Path("/c a"), "a file with a space"),
        ("opensearch+http://127.0.0.1:92,[::1],localhost", None, "", None, "http on this machine"),
    ],
)
def test_a_location(
    text: str, nodes: list[tuple[str, int]] | None, user: str, authority: Path | None, why: str
) -> None:
    nodes = nodes or [("127.0.0.1", 92), ("::1", 9200), ("localhost", 9200)]
    is_encrypted = "https" in text
    assert parse_location(text) == ClusterLocation(text, tuple(nodes), is_encrypted, user, authority), why


def test_two_of_one_cluster_have_names_of_their_own() -> None:
    prefixes = [parse_location(f"opensearch+https://a{path}").prefix for path in ("", "/", "/intranet")]
    assert prefixes == ["lycosa", "lycosa", "intranet"]


@pytest.mark.parametrize(
    ("text", "says", "why"),
    [
        ("", 'write "opensearch+https://', "nothing"),
        ("https://a.example", 'write "opensearch+https://', "whose API would that be?"),
        ("opensearch://a.example", 'write "opensearch+https://', "encrypted or not?"),
        ("opensearch+https://", 'write "opensearch+https://', "no node"),
        ("opensearch+https://a,,b", 'write "opensearch+https://', "an empty one"),
        ("opensearch+https://a:0", 'write "opensearch+https://', "no such port"),
        ("opensearch+https://a:65536", 'write "opensearch+https://', "no such port"),
        ("opensearch+https://::1", 'write "opensearch+https://', "IPv6 without brackets"),
        ("opensearch+https://a/b-c", "begin the names of indexes", "a dash parts it from the rest of a name"),
        ("opensearch+https://a/b/c", 'write "opensearch+https://', "a path is no prefix"),
        ("opensearch+https://a/7b", "begin the names of indexes", "no name of a schema begins so"),
        ("opensearch+https://a#b", 'write "opensearch+https://', "a fragment"),
        ("opensearch+https://a\n", 'write "opensearch+https://', "two lines"),
        ("opensearch+https://u:secret@a", "as LYCOSA_OPENSEARCH_PASSWORD", "a password"),
        ("opensearch+https://u%3Asecret@a", "as LYCOSA_OPENSEARCH_PASSWORD", "the same, in disguise"),
        ("opensearch+https://u:sec@ret@a", 'write "opensearch+https://', "its @ is not written %40"),
        ("opensearch+http://search.example.org", "this machine alone", "a login for all to read"),
        ("opensearch+http://127.0.0.1,192.0.2.1", "this machine alone", "one of them is not"),
        ("opensearch+https://a?sslrotcert=/ca", "write ?sslrootcert=", "misspelt: the system's would do"),
        ("opensearch+https://a?sslrootcert=ca.crt", "write ?sslrootcert=", "of which folder?"),
        ("opensearch+https://a?sslrootcert=", "write ?sslrootcert=", "which file?"),
    ],
)
def test_what_is_no_location(text: str, says: str, why: str) -> None:
    with pytest.raises(EngineError) as told:
        parse_location(text)
    assert says in str(told.value), why
    assert "\n" not in str(told.value)
    assert not {"secret", "sec", "ret"} & set(str(told.value).replace("@", ":").split(":")), why
