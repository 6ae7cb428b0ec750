"""An export has what is stored, whatever was stopped, changed or removed between its runs."""

import gzip
import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.export import export
from engine.export.export import Exported, describe_export, export_to_file, export_to_stream
from engine.export.format import ExportFormat
from engine.store import Change
from tests.engine.index.source import Memory, page

FETCHED = 1_700_000_000.0  # of the first change of Memory, but for a second


def run(source: Memory, path: Path, since: float = 0.0) -> Exported:
    return export_to_file(source, path, since, lambda done, total: None)


def read_lines(path: Path) -> list[dict[str, Any]]:
    octets = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in octets.splitlines()]


def replay(lines: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The texts of the pages by URL, as a reader gets them who takes the last line of each."""
    last = {line["url"]: line for line in lines}
    return {url: line["sections"][0]["text"] for url, line in last.items() if "gone" not in line}


def test_a_second_run_appends_what_has_changed(tmp_path: Path) -> None:
    source, path = (
        Memory(*(page(f"http://a.example/{n}", f"text {n}") for n in range(5))),
        tmp_path / "x.jsonl",
    )
    assert run(source, path) == Exported(5, 0)
    before = path.read_bytes()
    source.put(page("http://a.example/1", "new"))
    source.remove("http://a.example/2")
    assert run(source, path) == Exported(1, 1)
    assert path.read_bytes().startswith(before)
    assert read_lines(path)[5:] == [
        {**read_lines(path)[5], "url": "http://a.example/1", "change": 6},
        {"change": 7, "url": "http://a.example/2", "gone": True},
    ]
    assert run(source, path) == Exported(0, 0), "nothing has changed"


def test_what_left_before_is_not_told(tmp_path: Path) -> None:
    source = Memory(page("http://a.example/", "text"), page("http://a.example/left", "text"))
    source.remove("http://a.example/left")
    assert run(source, tmp_path / "x.jsonl") == Exported(1, 0)


def test_what_leaves_while_it_is_written_is_told_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BATCH", 1)
    source, path = Memory(*(page(f"http://a.example/{n}", "text") for n in range(3))), tmp_path / "x.jsonl"
    export_to_file(source, path, 0.0, lambda done, _: source.remove("http://a.example/0"))
    assert replay(read_lines(path)).keys() == {f"http://a.example/{n}" for n in range(3)}, "as it was then"
    assert run(source, path) == Exported(0, 1)
    assert replay(read_lines(path)).keys() == {"http://a.example/1", "http://a.example/2"}


def test_urls_that_others_represent_stand_behind_all_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each once, also of a run that was stopped among them."""
    monkeypatch.setattr(export, "BATCH", 1)
    source, stopped = Memory(page("http://a.example/1", "text")), ["http://a.example/copy"]
    source.stand("http://a.example/old", "http://a.example/1")
    source.copy("http://a.example/copy", "http://a.example/1")
    source.put(page("http://a.example/2", "text"))

    def write(change: Change) -> bytes | None:
        if change.url in stopped:
            raise KeyboardInterrupt
        return change.url.rpartition("/")[2].encode() + b" "

    def write_page_alone(change: Change) -> bytes | None:
        return write(change) if change.packed else None

    form = ExportFormat(write_page_alone, beginning=b"warcinfo ", write_alias=write)
    with pytest.raises(KeyboardInterrupt):
        export_to_file(source, tmp_path / "x", 0.0, lambda done, total: None, form)
    assert (tmp_path / "x").read_bytes() == b"warcinfo 1 2 old "
    stopped.clear()
    source.put(page("http://a.example/3", "text"))
    for expected in (Exported(1, 1), Exported(0, 0)):
        assert export_to_file(source, tmp_path / "x", 0.0, lambda done, total: None, form) == expected
    assert (tmp_path / "x").read_bytes() == b"warcinfo 1 2 old 3 copy "


def test_pages_of_which_nothing_is_written_are_counted(tmp_path: Path) -> None:
    """Not those that are too old, nor URLs without a page."""
    source = Memory(*(page(f"http://a.example/{n}", "text") for n in range(4)))
    source.stand("http://a.example/old", "http://a.example/1")
    form = ExportFormat(lambda change: b"x" if change.url.endswith("1") else None, write_alias=lambda _: None)
    said = export_to_file(source, tmp_path / "x", FETCHED + 2, lambda done, total: None, form)
    assert said == Exported(1, 0, 2)
    said = export_to_file(source, tmp_path / "y", 0.0, lambda done, total: None, form)
    assert describe_export("y.warc.gz", said) == "y.warc.gz: 1 page; no response of 3 pages is kept"


SINCE = [
    (0.0, ["1", "2", "3"], "no date"),
    (FETCHED + 2, ["2", "3"], "that very second counts"),
    (FETCHED + 9, [], "nothing so late"),
]


@pytest.mark.parametrize(("since", "expected", "why"), SINCE, ids=[why for *_, why in SINCE])
def test_pages_fetched_since(tmp_path: Path, since: float, expected: Sequence[str], why: str) -> None:
    source = Memory(*(page(n, n) for n in "123"))
    run(source, tmp_path / "x.jsonl", since)
    assert list(replay(read_lines(tmp_path / "x.jsonl")).values()) == expected, why


FORMATS = [
    ("x.jsonl", True, "lines of JSON"),
    ("x.jsonl.gz", True, "compressed, each batch by itself"),
    ("x.tsv", True, "links"),
    ("x.tsv.gz", True, "links, compressed"),
    ("x.parquet", True, "columns"),
    ("x-links.parquet", True, "links, as columns"),
    ("x.csv", False, "no format of ours"),
    ("x", False, "no suffix"),
    ("jsonl", False, "a name that is none"),
    ("x.gz", False, "compressed what?"),
    ("x.parquet.gz", False, "its columns are compressed already"),
]


@pytest.mark.parametrize(("name", "is_known", "why"), FORMATS, ids=[why for *_, why in FORMATS])
def test_the_suffix_names_the_format(tmp_path: Path, name: str, is_known: bool, why: str) -> None:
    source = Memory(page("http://a.example/", "text"))
    if is_known:
        assert run(source, tmp_path / name) == Exported(1, 0), why
        source.put(page("http://a.example/b", "text"))
        assert run(source, tmp_path / name) == Exported(1, 0), why
    else:
        with pytest.raises(EngineError, match=r"ends in \.jsonl or \.tsv or \.parquet"):
            run(source, tmp_path / name)
        assert not list(tmp_path.iterdir())
    if ".jsonl" in name:
        assert len(read_lines(tmp_path / name)) == 2


def test_a_stream_has_what_a_file_has(tmp_path: Path) -> None:
    source, stream = Memory(*(page(f"http://a.example/{n}", "text") for n in range(500))), BytesIO()
    assert export_to_stream(source, stream, 0.0) == run(source, tmp_path / "x.jsonl") == Exported(500, 0)
    assert stream.getvalue() == (tmp_path / "x.jsonl").read_bytes()


STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "remove", "export", "cut", "append"]), st.integers(0, 3), st.text()),
    max_size=30,
)


@given(steps=STEPS, packed=st.booleans())
def test_any_history_replays_to_what_is_stored(steps: Sequence[tuple[str, int, str]], packed: bool) -> None:
    """Runs that end in the middle of a batch, too: what is behind the last whole one is written again."""
    source, stored = Memory(), dict[str, str]()
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("x.jsonl.gz" if packed else "x.jsonl")
        for what, number, text in [*steps, ("export", 0, "")]:
            url = f"http://a.example/{number}"
            if what == "put":
                source.put(page(url, text))
                stored[url] = text
            elif what == "remove" and url in stored:
                source.remove(url)
                del stored[url]
            elif what == "export":
                run(source, path)
            elif what == "append" and path.exists():
                with path.open("ab") as file:
                    file.write(text.encode(errors="replace"))
        assert replay(read_lines(path)) == stored


DAMAGES = [
    ("other", "another crawl database", "numbers of another database name other changes"),
    ("shorter", "shorter than it was", "octets that were there are gone"),
    ("no state", "no export of Lycosa's", "somebody else's file is not overwritten"),
    ("damaged", "damaged", "a state that nobody can read"),
]


@pytest.mark.parametrize(("what", "says", "why"), DAMAGES, ids=[why for *_, why in DAMAGES])
def test_a_file_of_something_else_stays(tmp_path: Path, what: str, says: str, why: str) -> None:
    source, path = Memory(page("http://a.example/", "text")), tmp_path / "x.jsonl"
    run(source, path)
    state = tmp_path / "x.jsonl.state"
    if what == "other":
        state.write_text(state.read_text().replace("memory", "other"))
    elif what == "shorter":
        path.write_bytes(path.read_bytes()[:-1])
    elif what == "no state":
        state.unlink()
    else:
        state.write_text('{"change": 1')
    before = path.read_bytes()
    with pytest.raises(EngineError, match=says):
        run(source, path)
    assert path.read_bytes() == before, why
