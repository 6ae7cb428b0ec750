"""Makes pages, and copies of them with other dates, counters and adverts."""

import calendar
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

WORDS = 4_000  # of the vocabulary
TEMPLATE_WORDS = 120  # that pages of one template have in common
LINE_WORDS = 6  # that each of those has of its own
EVERY = 50  # one page of so many has a template and its title, another a template and a title of its own
ADVERT = 0.15  # words of an advert, at most, to those of its page
SEED = 0x4E45

_LETTERS = "abcdefghijklmnoprstuvwyz"
_MONTHS = calendar.month_name[1:]


class GeneratedPage(NamedTuple):
    """A page in HTML."""

    number: int
    original: int  # the number of the page that it is a copy of, its own if it is none
    body: bytes


def generate_pages(different: int, copies: int) -> list[GeneratedPage]:
    """So many different pages and copies of some of them, in any order; always the same ones."""
    chance = random.Random(SEED)
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(2, 9))) for _ in range(WORDS)]
    template = _prose(chance, words, TEMPLATE_WORDS)
    originals = [_page(chance, words, template, number) for number in range(different)]
    found = [
        GeneratedPage(number, number, _html(title, _stamped(chance, blocks)))
        for number, (title, blocks) in enumerate(originals)
    ]
    for number, original in enumerate(chance.sample(range(different), copies), different):
        title, blocks = originals[original]
        changed = list(_with_adverts(chance, words, _stamped(chance, blocks)))
        found.append(GeneratedPage(number, original, _html(title, changed)))
    chance.shuffle(found)
    return found


def _page(chance: random.Random, words: Sequence[str], template: str, number: int) -> tuple[str, list[str]]:
    """Title and blocks of a page. Two of EVERY are made by a template, and differ in one line."""
    if number % EVERY < 2:
        own = _prose(chance, words, LINE_WORDS)
        return ("A template" if number % EVERY else f"About {own}"), [template, own]
    blocks = [_prose(chance, words, chance.randint(15, 60)) for _ in range(chance.randint(2, 6))]
    return _prose(chance, words, 4), blocks


def _stamped(chance: random.Random, blocks: Sequence[str]) -> list[str]:
    """The blocks with a date and a counter, as most pages have them."""
    day, month, year = chance.randint(1, 28), chance.choice(_MONTHS), chance.randint(1999, 2026)
    return [
        *blocks,
        f"Last changed: {day} {month} {year}, {chance.randint(0, 23)}:{chance.randint(10, 59)}",
        f"Visitors: {chance.randint(1, 10**6):,}",
    ]


def _with_adverts(chance: random.Random, words: Sequence[str], blocks: Sequence[str]) -> Iterator[str]:
    """In every second page there is an advert, somewhere."""
    length = sum(block.count(" ") + 1 for block in blocks)
    at = chance.randrange(2 * len(blocks))
    for number, block in enumerate(blocks):
        if number == at:
            yield _prose(chance, words, chance.randint(3, max(3, int(ADVERT * length))))
        yield block


def _prose(chance: random.Random, words: Sequence[str], number: int) -> str:
    return " ".join(chance.choices(words, k=number)).capitalize()


def _html(title: str, blocks: Sequence[str]) -> bytes:
    paragraphs = "".join(f"<p>{block}</p>" for block in blocks)
    return f"<!DOCTYPE html><html lang=en><title>{title}</title><body>{paragraphs}".encode()
