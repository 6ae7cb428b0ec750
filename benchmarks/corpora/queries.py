"""Queries drawn from the pages that they are asked of; the same ones for the same pages, always."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.peers.contest import BenchmarkQuery
from engine.errors import EngineError
from engine.model.page import Page

KINDS = ("or", "and", "phrase")
LENGTHS = {1: 25, 2: 35, 3: 20, 4: 12, 5: 8}  # words: out of 100 queries; most people type two
MAX_WORDS = 5
BANDS = {0.1: 20, 0.01: 40, 0.0: 40}  # least part of the pages that hold a word: out of 100 words
SAMPLE = 400  # pages that queries are drawn from; bounds memory
SYNTAX = frozenset({"and", "or", "not", "to"})  # words that some query language might take for its own

# Letters between spaces are one word for every tokenizer, which os.path and foo_bar are not; a query
# that only some of the indexes can answer would measure nothing.
_WORD = re.compile(r"(?<!\S)[^\W\d_]{2,}(?=[,;:]?(?:\s|$))")
_RUN = re.compile(r"(?<!\S)[^\W\d_]{2,}(?: [^\W\d_]{2,})+(?=[,;:]?(?:\s|$))")


@dataclass(frozen=True, slots=True)
class PageVocabulary:
    """In how many pages a word stands, and some of the pages' texts."""

    pages: int
    frequency: Counter[str]
    texts: Sequence[str]


def read_vocabulary(pages: Iterable[Page], rng: random.Random) -> PageVocabulary:
    """Read every page once; the texts are a fair sample. Raises EngineError when none is fit to draw from."""
    frequency: Counter[str] = Counter()
    texts: list[str] = []
    count = 0
    for count, page in enumerate(pages, 1):
        words = _words(page.text)
        frequency.update(words)
        if not (words and _RUN.search(page.text)):
            continue
        if len(texts) < SAMPLE:
            texts.append(page.text)
        elif (place := rng.randrange(count)) < SAMPLE:
            texts[place] = page.text
    if not texts:
        raise EngineError("these pages have no text to draw queries from: name other packages")
    return PageVocabulary(count, frequency, texts)


def draw_queries(kind: str, count: int, of: PageVocabulary, rng: random.Random) -> list[BenchmarkQuery]:
    """So many queries of one kind; the words of an 'and' stand in one page, so that it finds something."""
    everywhere = _bands(of.frequency, of)
    drawn = []
    for length in rng.choices(list(LENGTHS), list(LENGTHS.values()), k=count):
        text = rng.choice(of.texts)
        if kind == "phrase":
            words = _phrase(text, max(length, 2), rng)
        else:
            words = _mixed(everywhere if kind == "or" else _bands(sorted(_words(text)), of), length, rng)
        drawn.append(BenchmarkQuery(kind, words))
    return drawn


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - SYNTAX


def _bands(words: Iterable[str], of: PageVocabulary) -> dict[float, list[str]]:
    """Words by how many pages hold them; bands without words are left out."""
    bands: dict[float, list[str]] = {least: [] for least in BANDS}
    for word in words:
        share = of.frequency[word] / of.pages
        bands[next(least for least in BANDS if share >= least)].append(word)
    return {least: words for least, words in bands.items() if words}


def _mixed(bands: dict[float, list[str]], length: int, rng: random.Random) -> tuple[str, ...]:
    chosen = rng.choices(list(bands), [BANDS[least] for least in bands], k=length)
    return tuple(rng.choice(bands[least]) for least in chosen)


def _phrase(text: str, length: int, rng: random.Random) -> tuple[str, ...]:
    """Words that stand side by side in the text, fewer where it has no longer run."""
    runs = [run.split() for run in _RUN.findall(text.lower())]
    run = rng.choice([run for run in runs if len(run) >= length] or runs)
    start = rng.randrange(max(len(run) - length, 0) + 1)
    return tuple(run[start : start + length])
