"""Measures text analysis: megabytes a second, beside Whoosh's analyzer and a bare regular expression.

Tantivy's tokenizer cannot be called from Python.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from whoosh.analysis.filters import LowercaseFilter
from whoosh.analysis.morph import PyStemmerFilter
from whoosh.analysis.tokenizers import RegexTokenizer

from benchmarks.index import store_corpus
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.instruments.space import MEGABYTE
from benchmarks.peers.contest import pages
from benchmarks.sites import Site
from engine.store.page_store import Store
from engine.text.tokens.numbering import TermNumbering

PACKAGES = ("python3.11-doc",)
AGAIN = 3  # rounds with the words of the first known; the best one counts: the others were disturbed
PEER_PAGES = 100  # that Whoosh's analyzer is shown; it takes some seconds for them
BATCH = 200  # texts at a time, as many as a commit has documents
_STEMS: Any = PyStemmerFilter

Texts = Sequence[tuple[str, str]]


def rows(sites: Sequence[Site], limit: int | None) -> Iterator[Row]:
    """The texts of the sites for the first time, every word new; then once more, as later in a crawl."""
    with store_corpus(sites, limit) as folder:
        store = Store(folder)
        texts = [(page.text, page.language) for page in pages(store)]
        store.close()
    report_progress(f"{_megabytes(texts):.1f} MB of text")
    numbering = TermNumbering()
    first = _speed(numbering.number_texts, texts)
    again = max(_speed(numbering.number_texts, texts) for _ in range(AGAIN))
    bare = max(_speed(_bare, texts) for _ in range(AGAIN))
    whoosh = _speed(_whoosh(), texts[:PEER_PAGES])
    yield rate_row("analysis.first", first, "whoosh", whoosh)
    yield rate_row("analysis.again", again, "whoosh", whoosh)
    yield rate_row("analysis.again", again, "regex", bare)


def _speed(analysed: Callable[[Texts], object], texts: Texts) -> float:
    """MB of UTF-8 for a second of CPU."""
    began = time.process_time()
    for start in range(0, len(texts), BATCH):
        analysed(texts[start : start + BATCH])
    took = time.process_time() - began
    return _megabytes(texts) / max(took, 1e-9)


def _megabytes(texts: Texts) -> float:
    return sum(len(text.encode("utf-8", "replace")) for text, _ in texts) / MEGABYTE


def _bare(texts: Texts) -> list[list[str]]:
    """Words in small letters: no stems, no compounds, no accents."""
    return [re.findall(r"\w+", text.lower()) for text, _ in texts]


def _whoosh() -> Callable[[Texts], object]:
    """As the peer of the index benchmark has it, Snowball's stems included."""
    analyzer: Any = RegexTokenizer() | LowercaseFilter() | _STEMS("english")
    return lambda texts: [[token.text for token in analyzer(text)] for text, _ in texts]
