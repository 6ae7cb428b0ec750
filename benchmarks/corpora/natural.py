"""Generated documents whose words are distributed as in natural texts; the same for the same number, always.

How often a word comes falls with its rank as Zipf and Mandelbrot have it; how many words there are grows
with the number of documents as Heaps has it; a document says some of its words again. Words are stems with
endings, so a stemmer has as much to do as in English. There are no links and no headings: what those cost,
real sites show.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import count, islice, product

import numpy as np
from numpy.typing import NDArray

from engine.model.page import Page, Section

SEED = 0x4C59
SHORTEST, LONGEST = 40, 120  # words of a document: 80 in the mean
TITLE = 5  # words
SENTENCE = 16  # words
BATCH = 10_000  # documents drawn at once: some 40 MB
PAGES_OF_HOST = 1_000
# Mandelbrot's p(rank) ~ 1 / (rank + SHIFT) ** POWER, with figures usual for English.
SHIFT, POWER = 2.7, 1.07
# Heaps' law, words = FACTOR * tokens ** GROWTH: 53,000 in 20,000 documents, 550,000 in a million.
FACTOR, GROWTH = 10.0, 0.6
REPEATED = 0.25  # of the places in a document have a word that stood there before
SPREAD = 1.5  # how far (deviation of a logarithm) the forms of one stem are apart in frequency

_STARTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "cl", "gr", "st", "tr")
_VOWELS = ("a", "e", "i", "o", "u")
_ENDS = ("l", "m", "n", "k", "p", "t")  # of a stem
_ENDINGS = ("", "s", "ed", "ing", "er", "ly", "ness", "ment")
_SYLLABLES = tuple(map("".join, product(_STARTS, _VOWELS)))
_STEP = 7919  # a prime that divides no number of stems, so each comes once


def generate_documents(documents: int) -> Iterator[Page]:
    """So many documents; what stays in memory is the vocabulary, 60 MB for a million documents."""
    chance = np.random.default_rng(SEED)
    words = np.array(generate_vocabulary(documents), object)
    upto = compute_frequencies(len(words)).cumsum()
    for start in range(0, documents, BATCH):
        lengths = chance.integers(SHORTEST, LONGEST, min(BATCH, documents - start), endpoint=True)
        said = iter(words[_repeating(_drawn(upto, int(lengths.sum()), chance), lengths, chance)].tolist())
        titles = iter(words[_drawn(upto, len(lengths) * TITLE, chance)].tolist())
        for number, length in enumerate(lengths.tolist(), start):
            yield _page(number, list(islice(titles, TITLE)), list(islice(said, length)))


def generate_vocabulary(documents: int) -> list[str]:
    """The words of so many documents, each once, roughly the shortest first: so are the commonest."""
    chance = random.Random(SEED)
    size = round(FACTOR * (documents * (SHORTEST + LONGEST) / 2) ** GROWTH)
    of_stem = len(_ENDINGS) // 2
    ranked = [
        (rank * chance.lognormvariate(0, SPREAD), stem + ending)
        for rank, stem in enumerate(islice(_stems(), -(-size // of_stem)), 1)
        for ending in chance.sample(_ENDINGS, of_stem)
    ]
    return [word for _, word in sorted(ranked)[:size]]


def compute_frequencies(words: int) -> NDArray[np.float64]:
    """What part of all places has the word of each rank."""
    falling = 1 / (np.arange(1, words + 1) + SHIFT) ** POWER
    return np.asarray(falling / falling.sum(), np.float64)


def _stems() -> Iterator[str]:
    """Stems without end: those of one syllable first, in no order of their letters."""
    for syllables in count(1):
        size = len(_ENDS) * len(_SYLLABLES) ** syllables
        for number in range(size):
            left, end = divmod(number * _STEP % size, len(_ENDS))
            parts = [_ENDS[end]]
            for _ in range(syllables):
                left, syllable = divmod(left, len(_SYLLABLES))
                parts.append(_SYLLABLES[syllable])
            yield "".join(reversed(parts))


def _drawn(upto: NDArray[np.float64], places: int, chance: np.random.Generator) -> NDArray[np.intp]:
    """Ranks, from 0, for so many places."""
    return np.minimum(np.searchsorted(upto, chance.random(places)), len(upto) - 1)


def _repeating(
    ranks: NDArray[np.intp], lengths: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.intp]:
    """The same ranks, but some places have what stands at an earlier place of their document."""
    starts = np.repeat(lengths.cumsum() - lengths, lengths)
    before = np.arange(len(ranks)) - starts
    earlier = starts + (chance.random(len(ranks)) * before).astype(np.int64)
    return np.where(chance.random(len(ranks)) < REPEATED, ranks[earlier], ranks)


def _page(number: int, title: Sequence[str], words: Sequence[str]) -> Page:
    sentences = (" ".join(words[start : start + SENTENCE]) for start in range(0, len(words), SENTENCE))
    text = ". ".join(map(str.capitalize, sentences))
    host = f"https://www.host-{number // PAGES_OF_HOST:05d}.example"
    return Page(
        url=f"{host}/{title[0]}/{'-'.join(title[1:])}-{number}",
        title=" ".join(title).capitalize(),
        language="en",
        sections=(Section("", "", f"{text}."),),
    )
