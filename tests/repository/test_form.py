"""The form of the house: short files, small rooms, names that speak of the field."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "spiders", "pipelines", "search_ui")
MAX_LINES = 300
MAX_ARGUMENTS = 7  # of a function, itself apart
MAX_MODULES = 22  # of a package, its door apart
BAD_NAMES = re.compile(r"manager|handler|processor|helper|utils?\b|common|\bdata\b|\binfo\b")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def modules(*folders: str) -> Iterator[tuple[Path, str]]:
    """Path and text of every module."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


class Definition(NamedTuple):
    """A function, or a class, of which no arguments are counted."""

    name: str
    is_class: bool
    arguments: int


@cache
def outline(text: str) -> tuple[bool, list[Definition]]:
    """Whether a module says what it is for, and what it defines; parsed once for all who ask."""
    tree = ast.parse(text)
    found = [
        Definition(
            node.name,
            isinstance(node, ast.ClassDef),
            0 if isinstance(node, ast.ClassDef) else _count_arguments(node),
        )
        for node in ast.walk(tree)
        if isinstance(node, DEFINITIONS)
    ]
    return bool(ast.get_docstring(tree)), found


def test_files_are_short() -> None:
    lengths = {path: len(text.splitlines()) for path, text in modules(*PACKAGES, "tests", "benchmarks")}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}
    assert len(lengths) > 800


def test_rooms_are_small() -> None:
    sizes: dict[Path, int] = defaultdict(int)
    for path, _ in modules("engine"):
        sizes[path.parent] += path.name != "__init__.py"
    assert {folder: size for folder, size in sizes.items() if size > MAX_MODULES} == {}


def test_every_module_says_what_it_is_for() -> None:
    assert [path for path, text in modules(*PACKAGES) if text.strip() and not outline(text)[0]] == []


def test_names_speak_of_the_field() -> None:
    named = [(path, name) for path, text in modules(*PACKAGES) for name in (path.stem, *_names(text))]
    assert [(path, name) for path, name in named if BAD_NAMES.search(name.lower())] == []


def _names(text: str) -> list[str]:
    return [one.name for one in outline(text)[1]]


def test_no_class_has_the_name_of_another() -> None:
    """But for commands, which Scrapy finds by their modules' names."""
    places: dict[str, list[Path]] = defaultdict(list)
    for path, text in modules(*PACKAGES):
        for one in outline(text)[1]:
            if one.is_class and one.name != "Command":
                places[one.name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
    assert len(places) > 300


def test_functions_take_few_arguments() -> None:
    """A loop over packed segments takes each array by itself; elsewhere what goes together has a name."""
    taken = {
        (path, one.name): one.arguments
        for path, text in modules(*PACKAGES, "benchmarks")
        for one in outline(text)[1]
        if not one.is_class and not path.is_relative_to("engine/segment")
    }
    assert {name: count for name, count in taken.items() if count > MAX_ARGUMENTS} == {}
    assert len(taken) > 3000


def _count_arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))
