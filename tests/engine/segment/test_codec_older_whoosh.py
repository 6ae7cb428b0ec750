"""Whoosh 2.7.4 reads the folder, too: a script of ten lines, with nothing of ours but the codec's import."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.engine.segment.plain import some_documents
from tests.engine.segment.test_codec import by_us

SCRIPT = """
import json, sys
import engine.segment.codec
from whoosh import index, qparser, versionstring
folder = index.open_dir(sys.argv[1])
parser = qparser.QueryParser("body", folder.schema)
parser.add_plugin(qparser.FuzzyTermPlugin())
with folder.searcher() as searcher:
    found = [searcher.search(parser.parse(asked), limit=None) for asked in sys.argv[2:]]
    print(json.dumps([versionstring(), [[(hit["mark"], hit.score) for hit in hits] for hits in found]]))
"""
OLDER = "2.7.4"
# What the codec imports, in the versions that the others have.
NEEDED = (
    "ada-url",
    "cffi",
    "llvmlite",
    "numba",
    "numpy",
    "publicsuffixlist",
    "selectolax",
    "w3lib",
    "zstandard",
)
QUERIES = [
    *("w1", "w1 w2", "w4 OR w9", "w1 NOT w2", "w1 ANDMAYBE w2", '"w1 w1"', '"w2 w1"~3', "w1*", "*1"),
    *("w?2", "w4~", "[w10 TO w2]", "*", "title:w1", "rest:w2", "lang:de w5", "w1^3 OR title:w2"),
]


def answers(python: str | Path, path: Path) -> list[Any]:
    """Which Whoosh it was, and for each query the marks and scores of the hits."""
    command = [python, "-W", "ignore", "-c", SCRIPT, path, *QUERIES]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert not done.returncode, done.stderr.decode()
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.requirement(291)
@pytest.mark.long
def test_whoosh_of_2016_finds_the_same(tmp_path: Path) -> None:
    """For whoever has the older one installed."""
    kept = (ROOT / "constraints.txt").read_text(encoding="ascii")
    wanted = re.findall(rf"^(?:{'|'.join(NEEDED)})==.*$", kept, re.MULTILINE)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", f"whoosh=={OLDER}", *wanted]
    done = subprocess.run(install, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"Whoosh {OLDER} cannot be had here: {done.stderr.decode()[-200:]}")
    (tmp_path / "index").mkdir()
    documents = some_documents(8, 150, 40)
    by_us(tmp_path / "index", [documents[:101], documents[101:]])
    (older, of_older), (_, of_ours) = (answers(each, tmp_path / "index") for each in (python, sys.executable))
    assert older == OLDER
    for asked, ours, theirs in zip(QUERIES, of_ours, of_older, strict=True):
        assert dict(ours) == pytest.approx(dict(theirs)), asked
        assert ours, asked
