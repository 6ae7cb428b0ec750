"""What is mapped into memory is bounded: files that searches have read are given back, and read again."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.reader import mapped_memory
from engine.index.reader.mapped_memory import limit_mapped, read_mapped
from engine.search import search as service
from engine.search.search import SearchService
from tests.engine.index.source import Memory, corpus

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells by /proc")


def resident(name: str) -> int:
    """Kilobytes in memory of the mapped files whose names end so."""
    found, is_it = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first = line.split(maxsplit=1)[0]
        if not first.endswith(":"):  # a mapping begins: addresses, and the file's name at its end
            is_it = line.endswith(name)
        elif is_it and first == "Rss:":
            found += int(line.split()[1])
    return found


class File:
    """A mapped file that counts how often it was given back."""

    def __init__(self) -> None:
        self.dropped = 0

    def drop_pages(self) -> None:
        self.dropped += 1


@pytest.mark.parametrize(
    ("most", "dropped", "why"),
    [
        (0, 1, "libraries alone are more"),
        (1 << 40, 0, "what fits stays: nobody has to read it again"),
    ],
)
def test_files_are_given_back_above_a_limit(
    monkeypatch: pytest.MonkeyPatch, most: int, dropped: int, why: str
) -> None:
    monkeypatch.setattr(mapped_memory, "MAX_MAPPED", most)
    files = [File(), File()]
    limit_mapped(files)
    assert [file.dropped for file in files] == [dropped, dropped], why


def test_libraries_count_as_mapped() -> None:
    assert read_mapped() > 1 << 20


@pytest.mark.parametrize(("name", "why"), [("none", "no such file"), ("empty", "no number in it")])
def test_nothing_is_given_back_where_the_system_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    tmp_path.joinpath("empty").touch()
    monkeypatch.setattr(mapped_memory, "_STATM", tmp_path / name)
    assert read_mapped() == 0, why


def test_a_search_page_gives_back_segments_and_answers_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CHECK_SECONDS", 0.0)
    Follower(Memory(*corpus(200, 1)), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        before = search.search("amber basil")
        assert (mapped := resident(".arrays"))
        monkeypatch.setattr(mapped_memory, "MAX_MAPPED", 0)
        search.count_documents()
        assert resident(".arrays") < mapped / 2
        monkeypatch.setattr(mapped_memory, "MAX_MAPPED", 1 << 40)
        after = search.search("amber basil", size=11)
    assert [hit.url for hit in after.hits][:10] == [hit.url for hit in before.hits]
