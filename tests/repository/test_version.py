"""The version is written in one place; what is built and what people read have it from there."""

import re
import tomllib

from engine import VERSION
from tests.conftest import ROOT


def test_what_is_built_has_the_version_of_the_engine() -> None:
    kept = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in kept["project"]
    assert kept["project"]["dynamic"] == ["version"]
    assert kept["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "engine.VERSION"}


def test_the_changelog_begins_with_it() -> None:
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest
    assert newest[1] == VERSION
