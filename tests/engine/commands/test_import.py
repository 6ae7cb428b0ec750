"""`scrapy import`: what wget has written is found, and what an operator may get wrong."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from engine.command import LycosaCommand
from engine.errors import EngineError
from engine.monitor import ProgressLine
from tests.running import here, scrapy
from tests.warcs import URL, record, response, write


def importing() -> LycosaCommand:
    """The command; its module has a name that no statement may have."""
    made: LycosaCommand = import_module("engine.commands.import").Command()
    return made


def test_pages_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = write(tmp_path / "x.warc.gz", record(), record(f"{URL}gone", response(b"", "404 Not Found")))
    assert here(importing(), tmp_path / "data", str(archive)) == 0
    assert capsys.readouterr().out == "1 page imported from 1 file\n  no page: 1, http 404\n"
    found = json.loads(scrapy(tmp_path / "data", "search", "page", "--json").stdout)
    assert [(hit["url"], hit["fetched_at"][:10]) for hit in found["hits"]] == [(URL, "2026-01-02")]


def test_the_index_is_waited_for_with_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take minutes, in which nothing else is to be seen."""
    shown = list[str]()
    monkeypatch.setattr(ProgressLine, "show", lambda _, text: shown.append(text))
    archive = write(tmp_path / "x.warc.gz", record())
    assert here(importing(), tmp_path / "data", str(archive)) == 0
    assert shown[-1].startswith("1 page is stored; the index ")


def test_an_index_that_does_not_answer_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own process tells of it, if it does not come back; what was imported is told all the same."""

    def fail(*_: object) -> int:
        raise EngineError("the cluster is away")

    monkeypatch.setattr(import_module("engine.commands.import"), "count_behind", fail)
    archive = write(tmp_path / "x.warc.gz", record())
    assert here(importing(), tmp_path / "data", str(archive)) == 0
    assert capsys.readouterr().out == "1 page imported from 1 file\n"


WRONG = [
    (
        ["{tmp}/none.warc.gz"],
        "import: {tmp}/none.warc.gz: No such file or directory",
        "a file that is not there",
    ),
    (["{tmp}/page.html"], "is no WARC file", "a file of another format"),
    (["{tmp}"], "import: {tmp}: Is a directory", "a folder"),
    (["{tmp}/x.warc.gz", "--date", "May"], "is no day: write it as 2026-11-27", "a day that is none"),
]


@pytest.mark.parametrize(("args", "says", "why"), WRONG, ids=[why for *_, why in WRONG])
def test_a_mistake_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], says: str, why: str
) -> None:
    (tmp_path / "page.html").write_text("<html>")
    write(tmp_path / "x.warc.gz", record())
    assert here(importing(), tmp_path / "data", *(one.format(tmp=tmp_path) for one in args)) == 2, why
    said = capsys.readouterr().err
    assert says.format(tmp=tmp_path) in said, why
    assert len(said.splitlines()) == 1, why
