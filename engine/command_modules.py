"""Finds the module of the command that is run.

Scrapy imports every module of COMMANDS_MODULE before it runs one command of them, with all that each needs:
the compiled loops of the index, the server, the plan. That is two seconds and 150 MB for `scrapy status`.
"""

from collections.abc import Sequence
from pathlib import Path

_PACKAGE = "engine.commands"
_FOLDER = Path(__file__).with_name("commands")


def find_command_module(argv: Sequence[str]) -> str:
    """Finds the module of the command that a command line names, else the package of all of them."""
    name = argv[1] if len(argv) > 1 else ""
    for file in _FOLDER.rglob("*.py"):
        if file.stem == name != "__init__":
            return ".".join((_PACKAGE, *file.relative_to(_FOLDER).with_suffix("").parts))
    return _PACKAGE
