"""Tests mirror the tree: each lies where its subject does, or in a folder of whole walks."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
WHOLE = {  # folder -> what its tests drive
    "faults": "what goes wrong between machines",
    "fuzz": "all that reads strangers' bytes, with mutations of them",
    "journeys": "what five people do, each from a clone to the end",
    "recovery": "what was killed, filled up or damaged",
    "repository": "the files of the repository themselves",
    "search_ui/browser": "pages in a real browser, and how they look",
    "simulation": "crawls over a web that is a dict, on a fake clock",
    "soak": "a long run in small",
    "walk": "real commands over webs on loopback",
    "web": "the webs that the others crawl",
    "zoo": "a crawl of hostile hosts",
}


def _answers_to(test: Path) -> bool:
    """Whether a module or package bears its name or first words: codec.py, test_codec_older_whoosh.py."""
    words = test.stem.removeprefix("test_").split("_")
    names = ["_".join(words[:length]) for length in range(len(words), 0, -1)]
    # Tools of the tests may have tests beside them: warm.py, test_warm.py.
    places = (ROOT / test.parent.relative_to(TESTS), test.parent)
    return any(
        (place / f"{name}.py").exists() or (place / f"__{name}__.py").exists() or (place / name).is_dir()
        for place in places
        for name in names
    )


def test_every_test_lies_where_what_it_tests_lies() -> None:
    tests = sorted(TESTS.rglob("test_*.py"))
    mirrored = [test for test in tests if test.parent.relative_to(TESTS).as_posix() not in WHOLE]
    assert [test.relative_to(ROOT) for test in mirrored if not _answers_to(test)] == []
    assert len(mirrored) > 200


def test_every_folder_of_whole_tests_has_tests() -> None:
    assert [folder for folder in WHOLE if not list((TESTS / folder).glob("test_*.py"))] == []
