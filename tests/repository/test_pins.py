"""What is installed is what was looked at: exact versions, and the hashes of all of their files."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from operator import itemgetter
from pathlib import Path

import pytest

from tests.conftest import ROOT

FILES = (
    "requirements.txt",
    "requirements-test.txt",
)  # to run it; and all that tests and benchmarks need, too
BY_HAND = {"atheris", "uv", "xapian-bindings-binary"}  # for `make fuzz`, `make pins` and one benchmark
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """Versions by the names of their packages, as PEP 503 normalises them."""
    found = PIN.findall(Path(ROOT, name).read_text(encoding="ascii"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_requirements_are_the_constraints_with_hashes() -> None:
    """Where they differ: `make pins`."""
    wanted = {
        package: version for package, version in pins("constraints.txt").items() if package not in BY_HAND
    }
    here = pins(FILES[1])
    assert {package: here.get(package) for package in wanted} == wanted
    # For another system than ours there may be more, of which constraints.txt knows nothing.
    more = here.keys() - wanted.keys()
    assert [name for name in more if not re.search(rf"^{name}==\S+ ;.*", read(FILES[1]), re.MULTILINE)] == []


def test_what_runs_it_is_a_part_of_what_tests_it() -> None:
    run, tests = (pins(name).items() for name in FILES)
    assert run < tests


def test_what_runs_it_is_what_the_project_needs_and_no_tool() -> None:
    """Names of packages by PEP 508, as the project and its extras list them."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    needed = {re.sub(r"[-_.]+", "-", name).lower() for name in project["dependencies"]}
    extras = project["optional-dependencies"]
    tools = {re.sub(r"[-_.]+", "-", name).lower() for name in (*extras["test"], *extras["bench"])}
    run = pins(FILES[0]).keys()
    assert needed <= run
    assert tools & run <= {"charset-normalizer"}, "which requests needs"


def test_what_runs_it_has_the_room_that_operators_are_told_of() -> None:
    """An environment made by `make install` or `make run`: these packages as they are unpacked, and pip."""
    (told,) = re.findall(r"and (\d+) MB of disk for the environment", read("docs/operating.md"))
    sizes = {name: _count_bytes(name) for name in (*pins(FILES[0]), "pip")}
    assert sum(size > 0 for size in sizes.values()) > 60, "this environment has them"
    assert sum(sizes.values()) < int(told) * 1_000_000, sorted(sizes.items(), key=itemgetter(1))[-10:]


def _count_bytes(name: str) -> int:
    """Adds up a package's files, what Python has compiled of them included; 0 where it is not installed."""
    try:
        files = distribution(name).files or []
    except PackageNotFoundError:  # of another system, or another Python
        return 0
    paths = [Path(str(file.locate())) for file in files]
    return sum(path.stat().st_size for path in paths if path.exists())


@pytest.mark.parametrize("name", FILES)
def test_every_requirement_has_its_hashes_and_no_address(name: str) -> None:
    text = read(name)
    parts = re.split(r"\n(?=\S)", text.strip())
    assert [part for part in parts if not re.search(r"--hash=sha256:[0-9a-f]{64}", part)] == []
    assert "://" not in text
    assert "--index" not in text
