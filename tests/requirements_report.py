"""Which tests hold which requirement of docs/requirements.md: `make requirements`."""

import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "requirements.md"
COLLECTED = pytest.StashKey[list[pytest.Item]]()  # by conftest.py, before any is deselected

_ROW = re.compile(r"^\| ([1-9]\d*) \|(.+)\|$", re.M)
_UNTESTED = "not tested: "


def numbered() -> list[tuple[int, str]]:
    """The rows of the page: the number, and why no test holds it ('' if one must)."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    return [(int(number), row.partition(_UNTESTED)[2].strip()) for number, row in rows]


def held_by_number(items: Iterable[pytest.Item]) -> dict[int, list[str]]:
    """The tests that name a requirement, each once, whatever its parameters."""
    found: dict[int, set[str]] = {}
    for item in items:
        for mark in item.iter_markers("requirement"):
            for number in mark.args:
                found.setdefault(number, set()).add(item.nodeid.partition("[")[0])
    return {number: sorted(tests) for number, tests in found.items()}


def complete(items: Iterable[pytest.Item]) -> bool:
    """Whether no file was left out that names a requirement."""
    files = (path for path in TESTS.rglob("test_*.py") if "mark.requirement(" in path.read_text("utf-8"))
    return {item.path for item in items}.issuperset(files)


def faults(tests: Mapping[int, list[str]]) -> Iterator[str]:
    """What is wrong with the markers or with the page, a sentence each."""
    rows = dict(numbered())
    for number in sorted(tests.keys() - rows.keys()):
        yield f"{', '.join(tests[number])}: there is no requirement {number}"
    for number, untested in rows.items():
        if untested and number in tests:
            yield f"requirement {number} has tests, and docs/requirements.md says 'not tested'"
        elif not untested and number not in tests:
            yield f"requirement {number} has no test, and docs/requirements.md does not say why"


def report(tests: Mapping[int, list[str]]) -> Iterator[str]:
    """Every requirement with its tests, or with the reason why there is none."""
    for number, untested in numbered():
        held = tests.get(number) or [f"{_UNTESTED}{untested}" if untested else "no test"]
        yield f"{number:>4}  {held[0]}"
        yield from (f"      {test}" for test in held[1:])


class _Collection:
    """A plugin of pytest's that keeps what was collected."""

    def __init__(self) -> None:
        self.tests: dict[int, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.tests = held_by_number(session.items)


def main() -> int:
    """Print the report; 1 when something is wrong with it."""
    collection, said = _Collection(), io.StringIO()
    with redirect_stdout(said):
        code = pytest.main(["--collect-only", "-q"], plugins=[collection])
    if code:
        sys.stdout.write(said.getvalue())
        return int(code)
    wrong = list(faults(collection.tests))
    lines = [*report(collection.tests), "", *wrong]
    rows = numbered()
    without = [str(number) for number, _ in rows if number not in collection.tests]
    lines.append(f"{len(rows)} requirements, {len(without)} without a test: {', '.join(without)}")
    sys.stdout.write("\n".join(lines) + "\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
