"""Measures charset detection beside faust-cchardet and charset-normalizer: share of texts decoded correctly.

The texts are paragraphs of the shared data, in pages of three lengths; they need no sites.
"""

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from w3lib.encoding import resolve_encoding, to_unicode

from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from engine.errors import EngineError
from engine.text.charset.charset import decode

SHARED = Path(__file__).parent.parent.parent / "shared/data"
COLLECTIONS = {
    "ru": ("xquad/ru", "windows-1251 koi8-r ibm866 iso-8859-5 gb18030 shift_jis euc-jp euc-kr"),
    "pl": ("poquad", "windows-1250 iso-8859-2"),
    "ro": ("xquad/ro", "windows-1250 iso-8859-2"),
    "de": ("xquad/de", "windows-1252 windows-1250 iso-8859-2"),
    "es": ("xquad/es", "windows-1252"),
    "el": ("xquad/el", "windows-1253 iso-8859-7"),
    "tr": ("xquad/tr", "windows-1254"),
    "ar": ("xquad/ar", "windows-1256 iso-8859-6"),
    "fa": ("pquad-val", "windows-1256"),
    "th": ("xquad/th", "cp874"),
    "zh": ("cmrc-dev", "gb2312 gbk gb18030 utf-16le utf-16be"),
}
WINDOWS = str.maketrans("یۀșțȘȚ", "يهşţŞŢ")  # letters as they were written before Unicode
SIZES = (60, 200, 1_000)  # characters
PIECES = 60  # of each size in each charset
PARAGRAPHS = 300  # of each collection
FEW = 10  # of the pieces are shown to charset-normalizer: every FEW-th, it takes milliseconds for one
SEED = 0x4C59


class CharsetPiece(NamedTuple):
    """A text of some language in a charset."""

    language: str
    charset: str
    body: bytes
    text: str


def rows() -> Iterator[Row]:
    """The share that is right for each language and charset, then over all, then what one costs."""
    if not find_spec("cchardet") or not find_spec("charset_normalizer"):
        raise EngineError("peers are missing: pip install -c constraints.txt -e '.[bench]'")
    if not SHARED.is_dir():
        raise EngineError(f"{SHARED} is missing: the texts are taken from there")
    from cchardet import detect
    from charset_normalizer import from_bytes

    def peer(body: bytes) -> str:
        return str(detect(body)["encoding"])

    def slow_peer(body: bytes) -> str:
        best = from_bytes(body).best()
        return best.encoding if best else ""

    pieces = list(_pieces())
    report_progress(f"{len(pieces)} texts")
    decode(pieces[0].body, "")  # its tables are made
    for language, charset in dict.fromkeys((piece.language, piece.charset) for piece in pieces):
        own = [piece for piece in pieces if piece[:2] == (language, charset)]
        yield rate_row(
            f"charset.{language}.{charset}", _ours(own)[0], "faust-cchardet", _theirs(own, peer)[0]
        )
    ours, theirs = _ours(pieces), _theirs(pieces, peer)
    yield rate_row("charset.right", ours[0], "faust-cchardet", theirs[0])
    yield cost_row("charset.microseconds", ours[1], "faust-cchardet", theirs[1])
    few = pieces[::FEW]
    ours, theirs = _ours(few), _theirs(few, slow_peer)
    yield rate_row("charset.right.few", ours[0], "charset-normalizer", theirs[0])
    yield cost_row("charset.microseconds.few", ours[1], "charset-normalizer", theirs[1])


def _ours(pieces: Sequence[CharsetPiece]) -> tuple[float, float]:
    """The share that is right, and microseconds of CPU for one."""
    began = time.process_time()
    right = sum(decode(piece.body, "")[0] == piece.text for piece in pieces)
    return right / len(pieces), (time.process_time() - began) / len(pieces) * 1e6


def _theirs(pieces: Sequence[CharsetPiece], guess: Callable[[bytes], str]) -> tuple[float, float]:
    began = time.process_time()
    guesses = [resolve_encoding(guess(piece.body)) or "cp1252" for piece in pieces]
    texts = [to_unicode(piece.body, name) for piece, name in zip(pieces, guesses, strict=True)]
    seconds = time.process_time() - began
    right = sum(text == piece.text for text, piece in zip(texts, pieces, strict=True))
    return right / len(pieces), seconds / len(pieces) * 1e6


def _pieces() -> Iterator[CharsetPiece]:
    rng = random.Random(SEED)
    for language, (folder, charsets) in COLLECTIONS.items():
        with (SHARED / folder / "docs.jsonl").open(encoding="utf-8") as lines:
            paragraphs = [json.loads(line)["text"] for line in islice(lines, PARAGRAPHS)]
        for charset in charsets.split():
            for size in SIZES:
                for _ in range(PIECES):
                    text = "\n".join(rng.sample(paragraphs, 10))[:size] + "\n"
                    text = text if charset.startswith(("utf", "gb")) else text.translate(WINDOWS)
                    body = text.encode(charset, "ignore")
                    if not body.isascii():
                        yield CharsetPiece(language, charset, body, body.decode(charset))
