"""Edits the operator's text files of the data folder: synonyms, pins and labels."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config
from engine.errors import EngineError
from engine.generations import write_atomically
from engine.index.searching import LABELS_FILE, MAX_LABELS, parse_label
from engine.monitor import count
from engine.report import escape_text
from engine.suggest import MAX_BYTES, find_broken_lines, pins, synonyms
from search_ui.admin.page import Done
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest

CHANGED = (
    "the file was changed meanwhile, on the machine or in another window; below is your text, still unsaved"
)

_WITHOUT_TAB = re.compile(r"^[^\t\n#][^\t\n]*$", re.MULTILINE)
_BAR = re.compile(r" +\| +")  # for a tab, which the key of that name does not write into a form
MAX_SAID = 2  # broken lines that are named in one sentence


def _list_none(config: Config) -> Sequence[tuple[str, Sequence[str]]]:
    return ()


def _list_labels(config: Config) -> Sequence[tuple[str, Sequence[str]]]:
    return [(table.text("name"), table.texts("sites")) for table in config.labels]


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: how a line of it is parsed, and what it says; `fixed`: what crawl.toml says besides."""

    title: str
    name: str
    row: Callable[[str], object]
    max_lines: int
    about: str
    example: str
    fixed: Callable[[Config], Sequence[tuple[str, Sequence[str]]]] = _list_none


FILES: Mapping[str, FileKind] = {
    "synonyms": FileKind(
        "Synonyms",
        synonyms.FILE,
        synonyms.parse_line,
        synonyms.MAX_LINES,
        "Words that mean the same, on one line, with tabs between. A search for one finds the others, too; "
        "these count less than what was typed.",
        "os\toperating system",
    ),
    "pins": FileKind(
        "Pins",
        pins.FILE,
        pins.parse_pin,
        pins.MAX_LINES,
        "A query, a tab, and the URL of the page that comes first for it. Of several lines for one query "
        "the first comes first.",
        "opening hours\thttps://www.example.org/visit.html",
    ),
    "labels": FileKind(
        "Labels",
        LABELS_FILE,
        parse_label,
        MAX_LABELS,
        "Groups of sites by which people narrow hits down, in the menu “Collection” above them: a label, a "
        "tab, and its sites with tabs between: hosts, with all below them, or how addresses begin.",
        "Manuals\tdocs.example.org\twww.example.org/docs",
        _list_labels,
    ),
}


@dataclass(frozen=True, slots=True)
class OperatorFilePage:
    """One file in a form. Searches follow a change within seconds."""

    config: Config
    kind: FileKind

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the file; after a mistake, what was typed. Raises EngineError for what is no text file."""
        text = self._read()
        begun = _begin_line(text, asked.fields.get("add", ""))
        return render_admin(
            "operator_file.html",
            asked,
            kind=self.kind,
            fixed=self.kind.fixed(self.config),
            text=_normalise(asked.fields["text"]) if asked.error and "text" in asked.fields else text + begun,
            begun=begun,
            version=_digest(text),
            broken=find_broken_lines(text, self.kind.row),
        )

    def act(self, asked: AdminRequest) -> Done:
        """Saves what was typed, and beside it what was there.

        Raises EngineError for lines that would be skipped, and for a stale form.
        """
        before, text = self._read(), _normalise(asked.fields.get("text", ""))
        if asked.fields.get("version", "") != _digest(before):
            raise EngineError(CHANGED)
        self._check(text)
        path = self.config.data_dir / self.kind.name
        if text != before:
            write_atomically(path.with_name(f"{path.name}.before"), before)
        write_atomically(path, text)
        return Done(self.kind.name, f"{count(_count_lines(text), 'line')}, {_count_lines(before):,} before")

    def _check(self, text: str) -> None:
        if broken := find_broken_lines(text, self.kind.row):
            told = "; ".join(f"line {number}: write {wanted}" for number, wanted in broken[:MAX_SAID])
            more = "; and more lines" * (len(broken) > MAX_SAID)
            raise EngineError(f"nothing was saved: {told}{more}")
        max_lines = self.kind.max_lines - len(self.kind.fixed(self.config))
        if len(text.encode()) > MAX_BYTES or _count_lines(text) > max_lines:
            raise EngineError(
                f"nothing was saved: at most {max_lines:,} lines and {MAX_BYTES:,} bytes are read"
            )

    def _read(self) -> str:
        path = self.config.data_dir / self.kind.name
        try:
            with path.open("rb") as file:
                octets = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return ""
        if len(octets) > MAX_BYTES:
            raise EngineError(f"{path} has more than {MAX_BYTES:,} bytes: shorten it on the machine")
        try:
            return octets.decode("utf-8-sig").replace("\r\n", "\n").replace("\0", "")
        except UnicodeDecodeError as error:
            raise EngineError(f"{path} is not UTF-8: mend it on the machine") from error


def _begin_line(text: str, added: str) -> str:
    """Begins a line with a query of another page, to be completed in the form, and in no file before that."""
    if not (words := escape_text(" ".join(added.split())).lstrip("#")):
        return ""
    end = "" if not text or text.endswith("\n") else "\n"
    return f"{end}{words} | "


def _normalise(typed: str) -> str:
    """Normalises the ends of lines, which a browser sends as CR LF (HTML, 4.10.22.4), and bars for tabs."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text = _WITHOUT_TAB.sub(lambda line: _BAR.sub("\t", line[0]), text)
    return f"{text.encode('utf-8', 'replace').decode()}\n" if text else ""


def _count_lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip() and not line.startswith("#"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
