"""`public_url` of crawl.toml: an address that paths can be appended to."""

from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.opensearch.cluster_index import ClusterIndex
from tests.engine.config.test_load import read


@pytest.mark.requirement(67)
@pytest.mark.parametrize(
    ("written", "read_as", "why"),
    [
        ("https://search.example.org", "https://search.example.org", "as in the example"),
        ("https://search.example.org/", "https://search.example.org", "paths begin with their slash"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", "a port"),
        ("HTTPS://Search.Example.org:443", "https://search.example.org", "the canonical spelling"),
        ("https://example.org/search/", "https://example.org/search", "below another site"),
    ],
)
def test_where_our_pages_are(tmp_path: Path, written: str, read_as: str, why: str) -> None:
    """The setting goes before the file."""
    assert read(tmp_path, f'public_url = "{written}"').public_url == read_as, why
    assert read(tmp_path, 'public_url = "https://a.example"', PUBLIC_URL=written).public_url == read_as, why


def test_a_setting_that_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="PUBLIC_URL: 'search\\.example"):
        read(tmp_path, None, PUBLIC_URL="search.example.org")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("public_url = 'search.example'", "line 1: public_url: 'search.example': "),
        ("public_url = 'ftp://a.example'", "'ftp://a.example': no http(s) URL; write \"https://search."),
        ("public_url = 'https://u:p@a.example'", "a URL with user name or password"),
        ("public_url = 'https://a.example/?q='", "public_url: 'https://a.example/?q=' has a query; write"),
        ("public_url = true", "line 1: public_url: write text in quotes"),
        (
            "public_url = 'https://a.example//b/'",
            "public_url: 'https://a.example//b/': write a path of letters",
        ),
        ("public_url = 'https://a.example/b;c'", "'https://a.example/b;c': write a path of letters"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(EngineError) as told:
        read(tmp_path, text)
    assert says in str(told.value)


DATABASE = 'database = "{}"'


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://lycosa@db.example.org/lycosa", "a user, a host, a database"),
        ("postgresql:///lycosa", "a socket of this machine"),
        ("postgresql://db.example.org:5433/lycosa?sslmode=verify-full", "a port, and what libpq understands"),
    ],
)
def test_where_the_crawl_database_is(tmp_path: Path, url: str, why: str) -> None:
    in_folder = read(tmp_path, None)
    assert in_folder.database == in_folder.data_dir
    assert read(tmp_path, DATABASE.format(url)).database == url, why


@pytest.mark.parametrize(
    ("url", "says", "why"),
    [
        (
            "postgresql://u:secret@h/d",
            "has a password: leave it out, .* PGPASSWORD",
            "crawl.toml is copied",
        ),
        ("postgresql://h", "write .postgresql://user@db.example.org/lycosa", "which database?"),
        ("mysql://u@h/d", "write .postgresql://", "another server"),
        ("crawl.db", "write .postgresql://", "a file"),
        ("postgresql://[h/d", "write .postgresql://", "no URL at all"),
    ],
)
def test_a_crawl_database_that_cannot_be(tmp_path: Path, url: str, says: str, why: str) -> None:
    with pytest.raises(EngineError, match=f"line 1: database.*{says}") as failed:
        read(tmp_path, DATABASE.format(url))
    assert "secret" not in str(failed.value), why


CLUSTER = 'index = "opensearch+https://s.example.org/intranet"\n'


def test_where_the_index_is(tmp_path: Path) -> None:
    in_folder = read(tmp_path, None)
    assert in_folder.index == in_folder.data_dir
    url = "postgresql://h/d"
    found = read(tmp_path, CLUSTER + DATABASE.format(url))
    assert found.index == ClusterIndex("opensearch+https://s.example.org/intranet", url)


@pytest.mark.parametrize(
    ("text", "says", "why"),
    [
        (CLUSTER, "needs its link graph on a server: write", "a link graph is no file that machines share"),
        ('index = "https://s.example.org"', 'write "opensearch', "as a browser has it"),
        ('index = "opensearch+https://u:secret@h"', "has a password: leave it out", "crawl.toml is copied"),
        ("index = 1", "write text in quotes", "no text"),
    ],
)
def test_an_index_that_cannot_be(tmp_path: Path, text: str, says: str, why: str) -> None:
    with pytest.raises(EngineError, match=f"line 1: index.*{says}") as failed:
        read(tmp_path, text)
    assert "secret" not in str(failed.value), why
