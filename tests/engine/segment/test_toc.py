"""The table of contents holds pickles, for Whoosh; whoever writes one there runs nothing of ours."""

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import pytest

from engine.generations import TAIL
from engine.index.indexing.rebuild import rebuild_index
from tests.engine.generations.folders import in_folder
from tests.engine.index.source import Memory, corpus
from tests.running import scrapy

COMMANDS = [("search", "amber"), ("status",), ("status", "--json"), ("explain", corpus(5)[0].url)]


class Malice:
    """Runs when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self._mark,)


@pytest.mark.parametrize("is_signed", [False, True], ids=["as it is", "with a right checksum"])
def test_a_table_of_contents_runs_no_code(tmp_path: Path, is_signed: bool) -> None:
    """It holds pickles, for Whoosh; nothing of ours reads them."""
    data, mark = tmp_path / "data", tmp_path / "it ran"
    generation = in_folder(rebuild_index(Memory(*corpus(5)), data))
    pickle.loads(pickle.dumps(Malice(mark)))
    mark.unlink()
    for path in generation.path.glob("*.toc"):
        evil, kept = pickle.dumps(Malice(mark), 2), path.read_bytes()
        length, _, magic = TAIL.unpack(kept[-TAIL.size :])
        table = kept[-TAIL.size - length : -TAIL.size]
        whole = kept[: kept.index(b"\x80\x02")] + evil + evil + table
        tail = TAIL.pack(length, crc32(whole), magic) if is_signed else kept[-TAIL.size :]
        path.write_bytes(whole + tail)
    for words in (*COMMANDS, ("check",), ("rebuild", "--weights"), ("rebuild",), ("rebuild", "--rollback")):
        with suppress(AssertionError):
            scrapy(data, *words)
        assert not mark.exists()
