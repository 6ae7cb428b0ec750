"""`scrapy export`: what is in the file, what it says, and what an operator may get wrong."""

import json
import sys
from pathlib import Path

import pytest

from engine.commands.export import Command
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.running import here


@pytest.fixture(autouse=True)
def crawled(tmp_path: Path) -> Path:
    """A data folder with two pages."""
    crawl = crawl_of(tmp_path / "data", clock := Clock())
    run(crawl, Web({f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}), clock)
    crawl.store.close()
    return tmp_path / "data"


def test_pages_then_nothing_new(crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pages.jsonl"
    assert here(Command(), crawled, str(file)) == 0
    assert capsys.readouterr().out == f"{file}: 2 pages\n"
    first, second = map(json.loads, file.read_text().splitlines())
    assert (first["url"], first["links"][0]["url"], second["url"]) == (f"{HOST}/", f"{HOST}/a", f"{HOST}/a")
    assert here(Command(), crawled, str(file)) == 0
    assert capsys.readouterr().out == f"{file}: 0 pages\n"


def test_links(crawled: Path, tmp_path: Path) -> None:
    assert here(Command(), crawled, str(tmp_path / "links.tsv")) == 0
    assert (tmp_path / "links.tsv").read_text().startswith(f"{HOST}/\t{HOST}/a\t")


def test_parquet_without_pyarrow(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert here(Command(), crawled, str(tmp_path / "x.parquet")) == 2
    assert "not installed: run 'make parquet'" in (said := capsys.readouterr().err)
    assert said.count("\n") == 1


def test_standard_output(crawled: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert here(Command(), crawled, "-") == 0
    assert [json.loads(line)["url"] for line in capsysbinary.readouterr().out.splitlines()] == [
        f"{HOST}/",
        f"{HOST}/a",
    ]


WRONG = [
    (["{tmp}/x.csv"], "ends in .jsonl or .tsv", "a format that is none"),
    (
        ["{tmp}/absent/x.jsonl"],
        "export: {tmp}/absent/x.jsonl: No such file or directory",
        "a folder that is not there",
    ),
    (["{tmp}/x.jsonl", "--since", "yesterday"], "is no date: write one as 2026-11-27", "a date that is none"),
    (["{tmp}/foreign.jsonl"], "no export of Lycosa's", "a file of somebody else"),
]


@pytest.mark.parametrize(("args", "says", "why"), WRONG, ids=[why for *_, why in WRONG])
def test_a_mistake_is_one_line(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], says: str, why: str
) -> None:
    (tmp_path / "foreign.jsonl").write_text("mine\n")
    assert here(Command(), crawled, *(one.format(tmp=tmp_path) for one in args)) == 2, why
    said = capsys.readouterr().err
    assert says.format(tmp=tmp_path) in said
    assert said.count("\n") == 1
    assert (tmp_path / "foreign.jsonl").read_text() == "mine\n"
