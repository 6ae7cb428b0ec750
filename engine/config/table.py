"""Reads a table of crawl.toml, and reports each mistake with its line and what to write."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import EngineError

MAX_NUMBER = 999_999_999  # of every whole number here: as many digits as an -a argument may have
_PASSWORD = re.compile(r"(//[^/:@]*:)[^/]*@")  # RFC 3986, 3.2.1

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True)
class Table:
    """The values of one table, read key by key; every reader raises EngineError for what does not fit."""

    path: Path
    values: dict[str, Any]
    text_of_file: str
    first_line: int = 1

    def where(self, key: str) -> str:
        """Formats file, line and key, with which an error message begins."""
        line = next((n for n in self._lines(key) if n >= self.first_line), 0)
        return f"{self.path}, line {line}: {key}" if line else f"{self.path}: {key}"

    def check_keys(self, *known: str) -> None:
        """Raises EngineError for a key that is none of these."""
        for key in self.values:
            if key not in known:
                raise EngineError(f"{self.where(key)} is unknown; write one of {', '.join(known)}")

    def text(self, key: str, default: str = "") -> str:
        """Reads a string."""
        return str(
            self._get(key, default, lambda value: isinstance(value, str), 'write text in quotes, "..."')
        )

    def choice(self, key: str, words: tuple[str, ...]) -> str:
        """Reads one of these words; the first where nothing is written."""
        return choose(self.text(key, words[0]), words, self.where(key))

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Reads true or false."""
        return bool(self._get(key, default, lambda value: isinstance(value, bool), "write true or false"))

    def number(self, key: str, default: int, least: int = 0) -> int:
        """Reads a whole number from `least` to MAX_NUMBER."""
        wanted = f"write a whole number from {least} to {MAX_NUMBER}"
        return int(
            self._get(key, default, lambda value: type(value) is int and least <= value <= MAX_NUMBER, wanted)
        )

    def amount(self, key: str, default: float, most: float) -> float:
        """Reads a number from 0 to `most`, whole or not."""
        wanted = f"write a number from 0 to {most:g}"
        return float(
            self._get(key, default, lambda value: type(value) in (int, float) and 0 <= value <= most, wanted)
        )

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Reads a list of strings."""
        wanted = 'write a list of texts, ["..."]'
        return tuple(self._get(key, default, lambda value: _is_list_of(value, str), wanted))

    def parsed(
        self, key: str, spell: Callable[[str], Parsed], example: str, default: tuple[str, ...] = ()
    ) -> tuple[Parsed, ...]:
        """Reads a list of strings, each in the spelling of `spell`, which refuses with a ValueError."""
        where = self.where(key)
        return tuple(parse_word(text, spell, where, example) for text in self.texts(key, default))

    def tables(self, key: str) -> list["Table"]:
        """Reads the tables of [[key]]."""
        rows = self._get(key, [], lambda value: _is_list_of(value, dict), f"write [[{key}]] above its lines")
        starts = itertools.chain(self._lines(key), itertools.repeat(1))  # a table may stand in braces, too
        pairs = zip(rows, starts, strict=False)
        return [Table(self.path, row, self.text_of_file, start) for row, start in pairs]

    def table(self, key: str) -> "Table":
        """Reads the table of [key], an empty one where it is not written."""
        row = self._get(key, {}, lambda value: isinstance(value, dict), f"write [{key}] above its lines")
        return Table(self.path, row, self.text_of_file, next(self._lines(key), 1))

    def _lines(self, key: str) -> Iterator[int]:
        """Finds the numbers of lines that begin with a key, or with a table of this name."""
        begins = re.compile(rf"\s*\[*\s*{re.escape(key)}\b")
        return (n for n, line in enumerate(self.text_of_file.split("\n"), 1) if begins.match(line))

    def _get(self, key: str, default: Any, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self.values.get(key, default)
        if key in self.values and not fits(value):
            raise EngineError(f"{self.where(key)}: {wanted}")
        return value


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def parse_word(text: str, spell: Callable[[str], Parsed], where: str, example: str) -> Parsed:
    """Parses the operator's word into its canonical spelling. Raises EngineError where it has none."""
    try:
        return spell(text)
    except ValueError as error:
        shown = _PASSWORD.sub(r"\1...@", text)
        raise EngineError(f'{where}: {shown!r}: {error}; write, for example, "{example}"') from error


def choose(word: str, words: tuple[str, ...], where: str) -> str:
    """Returns the word if it is one of the words. Raises EngineError otherwise."""
    if word not in words:
        raise EngineError(f"{where}: unknown {word!r}; write one of {', '.join(words)}")
    return word


def compile_pattern(text: str, where: str) -> re.Pattern[str] | None:
    """Compiles a regular expression of the operator's, None for ''. Raises EngineError when it is invalid."""
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise EngineError(f"{where}: {text!r} is not a regular expression: {error}") from error
