"""What is installed is what was looked at: exact versions, and the hashes of all of their files."""

import re
from pathlib import Path

from tests.conftest import ROOT

BY_HAND = {"atheris", "uv", "xapian-bindings-binary"}  # for `make fuzz`, `make pins` and one benchmark
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """Versions by the names of their packages, as PEP 503 normalises them."""
    found = PIN.findall(Path(ROOT, name).read_text(encoding="ascii"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_requirements_are_the_constraints_with_hashes() -> None:
    """Where they differ: `make pins`."""
    wanted = {
        package: version for package, version in pins("constraints.txt").items() if package not in BY_HAND
    }
    here = pins("requirements.txt")
    assert {package: here.get(package) for package in wanted} == wanted
    # For another system than ours there may be more, of which constraints.txt knows nothing.
    text = (ROOT / "requirements.txt").read_text(encoding="ascii")
    more = here.keys() - wanted.keys()
    assert [package for package in more if not re.search(rf"^{package}==\S+ ;.*", text, re.MULTILINE)] == []


def test_every_requirement_has_its_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="ascii")
    parts = re.split(r"\n(?=\S)", text.strip())
    assert [part for part in parts if not re.search(r"--hash=sha256:[0-9a-f]{64}", part)] == []
    assert "://" not in text
    assert "--index" not in text
