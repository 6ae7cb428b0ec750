"""What people read: links lead somewhere, files that are named are there, the README stays short."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import EXAMPLE
from search_ui.admin.rendering import NAVIGATION

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`((?:engine|pipelines|spiders|search_ui|tests|benchmarks|deploy|docs)/[\w./-]+)`")
README_LINES = 150


def _links() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            yield str(page.relative_to(ROOT)), target


def _named() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for name in SOURCE.findall(page.read_text(encoding="utf-8")):
            yield str(page.relative_to(ROOT)), name


def _anchor(heading: str) -> str:
    """The fragment that GitHub and its like give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_every_link_leads_somewhere() -> None:
    lost = []
    for page, target in _links():
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists():
            lost.append((page, target))
        elif fragment:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.M)
            if fragment not in map(_anchor, headings):
                lost.append((page, target))
    assert lost == []


def test_every_file_that_is_named_is_there() -> None:
    assert [(page, name) for page, name in _named() if not (ROOT / name).exists()] == []
    assert len(list(_named())) > 10, "an expression that finds no names would pass, too"


def test_the_readme_is_short_and_every_page_is_linked() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= README_LINES
    linked = {target.partition("#")[0] for page, target in _links() if page == "README.md"}
    assert {str(page.relative_to(ROOT)) for page in PAGES} - linked == {"README.md"}


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_the_readme_opens_with_its_two_commands(command: str) -> None:
    opening = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert f"\n    {command}" in opening


def test_every_exit_code_is_documented() -> None:
    """Of each command: 0, 1 for a fault of Lycosa and 2 for the operator's mistakes are for all."""
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| `(\w+)[^`]*` \|", page.partition("\n## Exit codes")[2], re.M)
    named = [
        (code, path.stem)
        for path in (ROOT / "engine" / "commands").rglob("*.py")
        for code in re.findall(r"^EXIT_\w+ = (\d)$", path.read_text(encoding="utf-8"), re.M)
    ]
    assert sorted(named) == sorted(rows)
    assert len(named) > 5


def test_of_every_database_it_is_said_what_bounds_it() -> None:
    """What is kept beside the crawl for years must not have to be cleared away by hand."""
    said = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    grows = said.partition("**What grows.**")[2].partition("\n\nDatabases")[0]
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py"))
    databases = set(re.findall(r'"(\w+\.db)"', code))
    assert len(databases) > 4
    assert sorted(name for name in databases if f"`{name}`" not in grows) == []


def test_of_every_command_it_is_said_which_page_does_it() -> None:
    """Or why none does; and a page that is named is there."""
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    table = text.partition("| command | page |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    commands = ROOT / "engine" / "commands"
    names = {one.stem for one in commands.rglob("*.py") if "unsupported" not in one.parts}
    told = {name.split()[0] for cell, _ in rows for name in re.findall(r"`([^`]*)`", cell)}
    assert told == names - {"__init__"}
    pages = {name for _, name in NAVIGATION}
    for _, cell in rows:
        first = re.split(r"[;,]", cell)[0]
        assert first in pages or first == "the search page" or first.startswith("none: "), cell


def test_of_each_setting_that_the_sources_ask_for_there_is_a_key_or_a_reason() -> None:
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    table = text.partition("\n## Settings that the sources ask for\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if re.match(r"\| \d", line)]
    asked = {int(number) for cell, *_ in rows for number in cell.split(", ")}
    assert asked == {38, 63, 110, 117, 142, 189, 191, 209, 210, 211, 212, 225, 243, 245, 247, 254, 316}
    keys = set(re.findall(r"^#? ?(\w+) = ", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    for cell, _, answer in rows:
        named = [name.split()[0] for name in re.findall(r"`(\w+(?: = \w+)?)`", answer)]
        assert [name for name in named if name not in keys] == [], cell
        assert named or "none" in answer or "`scrapy" in answer, cell
