"""`scrapy init`: writes a commented crawl.toml."""

import argparse
from pathlib import Path

from engine.command import LycosaCommand, no_arguments
from engine.config import EXAMPLE
from engine.errors import EngineError


class Command(LycosaCommand):
    """Writes crawl.toml, never over one that is there."""

    example = "scrapy init"

    def short_desc(self) -> str:
        """Returns the one line of `scrapy --help`."""
        return "Write a commented crawl.toml to begin with"

    def act(self, args: list[str], opts: argparse.Namespace) -> None:
        """Writes the file. Raises EngineError when that cannot be done."""
        no_arguments(args)
        assert self.settings is not None
        path = Path(self.settings["CRAWL_TOML"])
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(EXAMPLE.read_text(encoding="utf-8"))
        except FileExistsError:
            raise EngineError(f"{path} is there already; edit it, or move it away first") from None
        except OSError as error:
            raise EngineError(f"cannot write {path}: {error.strerror}") from error
        print(f"{path} written: name your sites in it, then run 'scrapy crawl web'")
