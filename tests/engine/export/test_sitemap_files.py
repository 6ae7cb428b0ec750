"""A sitemap of what is stored is one that we read ourselves, however many pages there are."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from engine.export import export_sitemap, sitemap_files
from engine.robots import Sitemap, read_sitemap
from tests.engine.index.source import Memory, page

A = "http://a.example"


def export(source: Memory, path: Path, since: float = 0.0) -> Sitemap:
    """Exports, and reads what has the name of the file."""
    export_sitemap(source, path, since, lambda done, total: None)
    return read(path)


def read(path: Path) -> Sitemap:
    octets = path.read_bytes()
    return read_sitemap(gzip.decompress(octets) if path.suffix == ".gz" else octets, f"{A}/{path.name}")


def test_urls_and_days(tmp_path: Path) -> None:
    modified = replace(page(f"{A}/a?x=1&y=<2>", "text"), modified=1_767_323_045.0)
    source = Memory(modified, page(f"{A}/b", "text"), page(f"{A}/left", "text"))
    source.remove(f"{A}/left")
    first, second = export(source, tmp_path / "sitemap.xml").entries
    assert (first.loc, second.loc) == (f"{A}/a?x=1&y=%3C2%3E", f"{A}/b")
    text = (tmp_path / "sitemap.xml").read_text()
    assert text.count("<lastmod>2026-01-02</lastmod>") == text.count("<lastmod>") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["sitemap.xml"]


@pytest.mark.parametrize("suffix", [".xml", ".xml.gz"])
def test_many_are_parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(sitemap_files, "MAX_URLS", 3)
    source = Memory(*(page(f"{A}/{number}", "text") for number in range(7)))
    index = export(source, tmp_path / f"map{suffix}")
    assert [one.loc for one in index.sitemaps] == [f"{A}/map-{number}{suffix}" for number in (1, 2, 3)]
    parts = [read(tmp_path / f"map-{number}{suffix}").entries for number in (1, 2, 3)]
    assert [one.loc for part in parts for one in part] == [f"{A}/{number}" for number in range(7)]
    assert len(list(tmp_path.iterdir())) == 4


def test_long_ones_are_parted_by_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_files, "MAX_SITEMAP_BYTES", 1_000)
    source = Memory(*(page(f"{A}/{'x' * 300}{number}", "text") for number in range(5)))
    export(source, tmp_path / "map.xml")
    parts = [*tmp_path.glob("map-*.xml")]
    assert len(parts) > 1
    assert all(part.stat().st_size <= 1_000 for part in parts)


def test_nothing_is_an_empty_sitemap(tmp_path: Path) -> None:
    assert export(Memory(), tmp_path / "map.xml").entries == ()


def test_what_fails_leaves_the_file_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "map.xml").write_text("before")
    source = Memory(page(f"{A}/a", "text"))
    monkeypatch.setattr(sitemap_files, "_format_date", lambda modified: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(source, tmp_path / "map.xml")
    assert (tmp_path / "map.xml").read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_since(tmp_path: Path) -> None:
    source = Memory(page(f"{A}/a", "text"), page(f"{A}/b", "text"))
    last = source.changes(1, 1)[0].fetched_at
    assert [one.loc for one in export(source, tmp_path / "map.xml", last).entries] == [f"{A}/b"]
