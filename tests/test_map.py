"""The map is tested: directions of imports, sizes of files."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "spiders", "pipelines", "search_ui")
# Each room may import from itself and from the rooms before it.
ROOMS = [
    "errors",
    "compiled",
    "formats",
    "url",
    "robots",
    "model",
    "config",
    "text",
    "packing",
    "folder",
    "linkgraph",
    "store",
    "frontier",
    "segment",
    "index",
    "suggest",
    "search",
    "relevance",
    "gates",
    "plan",
    "monitor",
    "workers",
    "crawl",
    "middleware",
    "submission",
    "command",
    "commands",
    "settings",
]
MAX_LINES = 300
BAD_NAMES = re.compile(r"manager|handler|processor|helper|utils?\b|common|\bdata\b|\binfo\b")


def modules(*folders: str) -> list[str]:
    return sorted(
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "__init__.py" or path.read_text(encoding="utf-8").strip()
    )


def imports(path: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from engine import VERSION` names no module, `from engine import robots` does.
            whole = [f"{node.module}.{name.name}" for name in node.names]
            folders = [one for one in whole if (ROOT / one.replace(".", "/")).exists()]
            files = [one for one in whole if (ROOT / f"{one.replace('.', '/')}.py").exists()]
            yield from folders or files or [node.module]


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("path", modules(*PACKAGES))
def test_imports_only_point_down(path: str) -> None:
    package = path.split("/")[0]
    ours = [module for module in imports(path) if module.split(".")[0] in PACKAGES]
    allowed = {"engine", package}
    assert {module.split(".")[0] for module in ours} <= allowed
    if package == "engine" and "/" in path and room(path.replace("/", ".")) in ROOMS:
        here = ROOMS.index(room(path.removesuffix(".py").replace("/", ".")))
        settings = {"settings"} if room(path.replace("/", ".")) == "middleware" else set()
        assert {room(module) for module in ours if room(module)} <= {*ROOMS[: here + 1], *settings}


def test_every_room_has_its_place_in_the_order() -> None:
    there = {Path(path).stem if path.count("/") == 1 else path.split("/")[1] for path in modules("engine")}
    assert there - {"__init__"} <= set(ROOMS)


@pytest.mark.parametrize("path", modules(*PACKAGES, "tests", "benchmarks"))
def test_files_are_small(path: str) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", modules(*PACKAGES))
def test_modules_and_their_names_speak_of_the_field(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a module opens with what it is for"
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node.name for node in ast.walk(tree) if isinstance(node, kinds)]
    assert not [name for name in (*names, Path(path).stem) if BAD_NAMES.search(name.lower())]
