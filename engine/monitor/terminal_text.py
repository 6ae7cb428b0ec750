"""Strips control characters from strangers' text on its way to a terminal, a log or a program."""

import json
import logging
import re
from typing import Any

# C0 and C1 controls, separators of lines, embeddings and overrides of direction (UAX 9), halves of
# characters, marks of annotations, tags. What joins letters stays: Persian words have it.
_ORDERS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_INDENT = "\n    "  # before each line of a record but its first: nobody forges a record's beginning


def legible(text: str) -> str:
    """Escapes a text for a terminal: one line, without control characters."""
    return _ORDERS.sub(_escaped, text)


def legible_json(value: Any) -> str:
    """Encodes JSON on one line, with JSON's own escapes for control characters."""
    return _ORDERS.sub(_escaped_in_json, json.dumps(value, ensure_ascii=False))


class LegibleRecord(logging.LogRecord):
    """A log record whose message, and traceback, are text and nothing else."""

    def getMessage(self) -> str:  # noqa: N802 - logging's name
        """Returns the message, all lines but the first indented."""
        if self.exc_info and not self.exc_text:
            self.exc_text = _lines(logging.Formatter().formatException(self.exc_info))
        return _lines(super().getMessage())


def _lines(text: str) -> str:
    return _INDENT.join(map(legible, text.split("\n")))


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def _escaped_in_json(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f"
