"""A Parquet export is a folder of whole files with the rows of the JSON lines, whatever was stopped."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.dataset
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.export import begin_export, parquet_parts
from engine.export.export import Exported, export_to_file
from engine.export.export_file import ExportState
from engine.export.format import delete_export
from engine.export.parquet_columns import define_page_columns
from engine.export.parquet_parts import open_parts
from engine.model.page import Link, Page, Section
from engine.packing.packing import pack_page
from engine.robots import Directives
from engine.store.change import Change
from tests.engine.index.source import Memory, corpus, page
from tests.memory import measure_growth

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
PAGES = st.builds(
    Page,
    url=st.sampled_from([f"http://a.example/{n}" for n in range(6)]),
    title=TEXTS,
    description=TEXTS,
    language=st.sampled_from(["", "en", "2026-11-27"]),
    sections=st.lists(st.builds(Section, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple),
    links=st.lists(st.builds(Link, TEXTS, TEXTS, st.booleans(), st.booleans()), max_size=3).map(tuple),
    directives=st.builds(Directives, archive=st.booleans()),
    keywords=TEXTS,
    published=st.one_of(st.none(), st.floats(-1e11, 1e12)),
)


def run(source: Memory, path: Path, since: float = 0.0) -> Exported:
    return export_to_file(source, path, since, lambda done, total: None)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows in the order of the changes, as JSON lines have them: without what is null."""
    rows = [row for part in sorted(path.iterdir()) for row in pyarrow.parquet.read_table(part).to_pylist()]
    return [{name: _plain(value) for name, value in row.items() if value is not None} for row in rows]


def _plain(value: Any) -> Any:
    return value.isoformat(timespec="seconds") if hasattr(value, "isoformat") else value


def read_lines(path: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [{name: value for name, value in line.items() if value is not None} for line in lines]


@given(steps=st.lists(st.one_of(PAGES, st.integers(0, 5), st.just("export")), max_size=12))
def test_its_rows_are_the_json_lines(steps: Sequence[Page | int | str]) -> None:
    """After any history, in which both are written at the same moments."""
    with TemporaryDirectory() as folder:
        source, names = Memory(), [Path(folder) / name for name in ("x.jsonl", "x.parquet")]
        for step in [*steps, "export"]:
            if isinstance(step, Page):
                source.put(step)
            elif isinstance(step, int):
                source.copy(f"http://a.example/{step}", "http://a.example/")
            else:
                assert run(source, names[0]) == run(source, names[1])
        assert read_rows(names[1]) == read_lines(names[0])


def test_links(tmp_path: Path) -> None:
    source = Memory(page("http://a.example/", links=(Link("http://b.example/", "tab\there", True, False),)))
    source.put(page("http://a.example/none"))
    run(source, tmp_path / "links.parquet")
    assert read_rows(tmp_path / "links.parquet") == [
        {
            "change": 1,
            "source": "http://a.example/",
            "target": "http://b.example/",
            "anchor": "tab\there",
            "nofollow": True,
            "main": False,
        }
    ]


def test_a_folder_is_one_table_with_types(tmp_path: Path) -> None:
    source = Memory(page("http://a.example/", language="en"))
    run(source, tmp_path / "x.parquet")
    source.put(page("http://a.example/b", language="en"))
    run(source, tmp_path / "x.parquet")
    table = pyarrow.dataset.dataset(tmp_path / "x.parquet").to_table()
    assert table.column("url").to_pylist() == ["http://a.example/", "http://a.example/b"]
    assert str(table.schema.field("fetched_at").type) == "timestamp[ms, tz=UTC]"
    [*_, last] = sorted((tmp_path / "x.parquet").iterdir())
    encodings = {
        (
            column := pyarrow.parquet.read_metadata(last).row_group(0).column(n)
        ).path_in_schema: column.encodings
        for n in range(pyarrow.parquet.read_metadata(last).num_columns)
    }
    assert "RLE_DICTIONARY" in encodings["language"]
    assert "RLE_DICTIONARY" not in encodings["url"]


def test_nothing_has_columns(tmp_path: Path) -> None:
    assert run(Memory(), tmp_path / "x.parquet") == Exported(0, 0)
    assert pyarrow.parquet.read_table(tmp_path / "x.parquet").schema.names[:2] == ["change", "url"]


def test_noarchive_leaves_the_texts_out(tmp_path: Path) -> None:
    source = Memory(replace(page("http://a.example/", "secret"), directives=Directives(archive=False)))
    run(source, tmp_path / "x.parquet")
    [row] = read_rows(tmp_path / "x.parquet")
    assert row["noarchive"] is True
    assert "sections" not in row


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    run(Memory(page("http://a.example/")), tmp_path / "x.parquet")
    assert (tmp_path / "x.parquet").stat().st_mode & 0o777 == 0o700
    assert {part.stat().st_mode & 0o777 for part in (tmp_path / "x.parquet").iterdir()} == {0o600}


def test_one_writes_at_a_time(tmp_path: Path) -> None:
    columns = define_page_columns()
    with (
        open_parts(tmp_path / "x", ExportState("db", 9), columns),
        pytest.raises(EngineError, match="another export writes"),
    ):
        open_parts(tmp_path / "x", ExportState("db", 9), columns).__enter__()


class Killed(BaseException):
    """Ends an export anywhere."""


KILLS = ["write_part", "save_state"]


@pytest.mark.parametrize("where", KILLS)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_killed_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, number: int
) -> None:
    """A part that has its name, but that the state does not know yet, is written again, as it is then."""
    source, counts = Memory(*corpus(900)), [0]
    owner: Any = parquet_parts.ParquetParts if where == "write_part" else parquet_parts
    real: Callable[..., None] = getattr(owner, where)

    def stop(*args: object) -> None:
        counts[0] += 1
        if counts[0] == number:
            raise Killed
        real(*args)

    monkeypatch.setattr(parquet_parts, "PART_OCTETS", 100_000)
    with monkeypatch.context() as patched:
        patched.setattr(owner, where, stop)
        with pytest.raises(Killed):
            run(source, tmp_path / "x.parquet")
    source.put(next(iter(corpus(900))))
    run(source, tmp_path / "x.parquet")
    assert len(list((tmp_path / "x.parquet").iterdir())) > 3
    changes = [row["change"] for row in read_rows(tmp_path / "x.parquet")]
    assert changes in (list(range(1, 902)), list(range(2, 902))), "1 has another number now"


def _delete_state(path: Path) -> None:
    Path(f"{path}.state").unlink()


def _delete_part(path: Path) -> None:
    max(path.iterdir()).unlink()


def _make_file(path: Path) -> None:
    delete_export(path)
    path.write_text("mine")


DAMAGES = [
    (_delete_state, EngineError, "no export of Lycosa's", "somebody else's folder is not written into"),
    (_delete_part, EngineError, "shorter than it was", "rows that were there are gone"),
    (_make_file, OSError, "File exists", "a file is no folder"),
]


@pytest.mark.parametrize(("damage", "error", "says", "why"), DAMAGES, ids=[why for *_, why in DAMAGES])
def test_a_folder_of_something_else_stays(
    tmp_path: Path, damage: Callable[[Path], None], error: type[Exception], says: str, why: str
) -> None:
    path = tmp_path / "x.parquet"
    run(source := Memory(page("http://a.example/")), path)
    damage(path)
    before = sorted(tmp_path.rglob("*"))
    source.put(page("http://a.example/new"))
    with pytest.raises(error, match=says):
        run(source, path)
    assert sorted(tmp_path.rglob("*")) == before, why


def test_begun_anew(tmp_path: Path) -> None:
    """As `crawl -O` does: what was stored before is not in it."""
    run(source := Memory(page("http://a.example/")), tmp_path / "x.parquet")
    begin_export(source, tmp_path / "x.parquet", anew=True)
    source.put(page("http://a.example/new"))
    run(source, tmp_path / "x.parquet")
    assert [row["url"] for row in read_rows(tmp_path / "x.parquet")] == ["http://a.example/new"]


def test_what_somebody_laid_into_it_is_not_deleted(tmp_path: Path) -> None:
    run(source := Memory(), tmp_path / "x.parquet")
    (tmp_path / "x.parquet" / "notes").write_text("mine")
    with pytest.raises(OSError, match="not empty"):
        begin_export(source, tmp_path / "x.parquet", anew=True)
    assert (tmp_path / "x.parquet" / "notes").read_text() == "mine"


class Endless(Memory):
    """So many changes, each with the same page of 100 KB."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._seq, self._page = number, pack_page(page("http://a.example/", "amber " * 17_000))

    def changes(self, after: int, limit: int) -> Sequence[Change]:
        seqs = range(after + 1, min(after + limit, self._seq) + 1)
        return [Change(seq, f"http://a.example/{seq}", self._page, 0.0) for seq in seqs]


def write_pages(path: Path) -> None:
    """Writes as many pages as the file is named for, in small parts; in a process of its own."""
    parquet_parts.PART_OCTETS = 2_000_000
    run(Endless(int(path.stem)), path)


def test_memory_does_not_grow_with_the_number_of_pages(tmp_path: Path) -> None:
    grown = measure_growth(write_pages, tmp_path / "200.parquet", [tmp_path / "1500.parquet"])
    assert grown[0] < 30_000, "KiB, of 150 MB"


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(EngineError, match="by pyarrow, which is not installed: run 'make parquet'"):
        run(Memory(), tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())
