"""Tokenizes a chunk of text without white space: words, whole and in parts.

Word boundaries as in Unicode's UAX #29, but for compounds: `asyncio.Queue.put_nowait`, `e-mail`,
`camelCase`, `3.11`, `AT&T` can be looked up whole, by elements (`put_nowait`) and by parts. A whole is
spelled without what joins its parts, so that `UTF-8` and `utf8`, `max_age` and `maxAge` are one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.text.analysis.alphabet import MARKS, SPACELESS, fold_with_offsets

MAX_PARTS = 16  # of a compound that has a whole; a longer one is a table, a key, or an attack


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# French, then Italian; Catalan has some of the same.
_ELIDED = _word_set(
    """
    c d j l m n s t qu jusqu lorsqu presqu puisqu quoiqu
    all bell coll dall dell gl nell quell quest sant sull un
    """
)
"""What stands before an apostrophe and is not looked for: l'homme is about homme."""

# English and Dutch, then Turkish.
_ENDINGS = _word_set(
    """
    s
    a da dan daki de deki den dir dır e i in ı ın la lar le ler na nda ndan nde nden ne nin nu nun nü nün
    nı nın ta taki tan te teki ten tir tır u un ü ün ya ye yi yla yle yu yü yı
    """
)
"""What stands behind an apostrophe and is not looked for: Ankara'da is about Ankara."""

_CONTRACTED = frozenset(["d", "ll", "m", "re", "ve"])  # we're is not were

_JOINERS = "\u00ad\u200d\u2060"  # invisible: soft hyphen, zero-width joiner, word joiner
_ARABIC = "(?=[\u0620-\u06ff])"
_PART = re.compile(rf"[^\W_](?:[^\W_]++|[{MARKS}{_JOINERS}]++|\u200c++(?![\u0620-\u06ff]))*+")
_JOINT = rf"(?:(?:::|[-.'&@·\u05f3\u05f4])_*+|_++|\u200c++{_ARABIC}|(?<=\d)[:,](?=\d))"
_COMPOUND = re.compile(rf"{_PART.pattern}(?:{_JOINT}{_PART.pattern})*+")
_SPACELESS = re.compile(f"[{SPACELESS}]")
_STRETCH = re.compile(f"(?P<grams>[{SPACELESS}]+)|[^{SPACELESS}]+")
_SEVERAL = re.compile(rf"[^{MARKS}][{MARKS}]*+[^{MARKS}]")  # letters: accents on one do not count
_STRONG = (".", ":", "@", ",")  # joints between the elements of a name; the others are inside of one
_CASES = re.compile(r"[A-Z]{2,}s(?![a-z])\d*|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*")
_NUMBERED = re.compile(r"([A-Za-z]{2,})(\d+)")
SEPARATORS = '"()*/;<=>?[\\]^`{|}!%$~'
"""What parts words and never joins them, of ASCII."""
PRINTED = "“”„«»—"
"""What parts words and never joins them in print: quotation marks and the long dash."""
_OPENING = f"{SEPARATORS}{PRINTED}',"


class TokenSlot(NamedTuple):
    """One position: what is said there, and where in the chunk; `variants` is what else it is like.

    `exact` is False for a part that only a change of case shows: Java is no more than akin to JavaScript.
    """

    text: str
    start: int
    end: int
    variants: tuple[str, ...] = ()
    exact: bool = True


class CompoundSpan(NamedTuple):
    """What the slots from `first` to `last` are together."""

    text: str
    first: int
    last: int


class CompoundToken(NamedTuple):
    """Slots side by side; of its wholes the last is the largest. A plain word is one slot without a whole."""

    slots: tuple[TokenSlot, ...]
    wholes: tuple[CompoundSpan, ...] = ()


def tokenize_chunk(chunk: str, typed: str | None = None) -> Iterator[CompoundToken]:
    """Tokenizes a chunk: folded words in order, with offsets; at most one compound for a character.

    Case tells parts apart only where no letters without spaces are about. `typed` is the chunk before its
    language mapped letters of it one to one: the parts are those of a query, of which no language is known.
    """
    folded, starts, ends = fold_with_offsets(chunk)
    for grams, stretch, begin in split_spaceless(folded):
        if grams:
            for at, (gram, *variants) in enumerate(split_bigrams(stretch), begin):
                yield CompoundToken((TokenSlot(gram, starts[at], ends[at + len(gram) - 1], tuple(variants)),))
            continue
        alone = len(stretch) == len(folded)
        source = (
            (chunk if typed is None else typed, starts, ends)
            if alone
            else (stretch, range(len(stretch)), range(1, len(stretch) + 1))
        )
        moved = not (alone and isinstance(starts, range))  # else each letter stands where it was folded
        for found in _COMPOUND.finditer(stretch):
            compound = _build_compound(
                stretch, [part.span() for part in _PART.finditer(stretch, *found.span())]
            )
            compound = _split_slots_by_case(compound, *source)
            yield _shift_offsets(compound, begin, starts, ends) if moved else compound


def has_spaceless(folded: str) -> bool:
    """Tells whether letters are in it that are written without spaces."""
    return not folded.isascii() and _SPACELESS.search(folded) is not None


def split_spaceless(folded: str) -> Iterator[tuple[bool, str, int]]:
    """Splits a folded chunk into stretches with offsets: of letters without spaces (True), of all else."""
    if not has_spaceless(folded):
        yield False, folded, 0
        return
    for stretch in _STRETCH.finditer(folded):
        yield stretch["grams"] is not None, stretch[0], stretch.start()


def split_bigrams(stretch: str) -> list[tuple[str, ...]]:
    """Splits letters without spaces into overlapping pairs, each akin to its first if that is a word.

    So one Chinese letter or Korean syllable alone is found, too; the last pair is akin to both of its own.
    Thai, Lao, Khmer and Burmese words are longer: the pairs stand for a dictionary that we do without.
    """
    if len(stretch) == 1:
        return [(stretch,)]
    pairs: list[tuple[str, ...]]
    pairs = [(one + other, one) if _is_word(one) else (one + other,) for one, other in pairwise(stretch)]
    if _is_word(stretch[-1]) and stretch[-1] != stretch[-2]:
        pairs[-1] = (*pairs[-1], stretch[-1])
    return pairs


def _is_word(letter: str) -> bool:
    """Tells whether a letter is a word: Han and Hangul are, kana and the letters of Thai are not."""
    return "\u3400" <= letter <= "\ud7ff" or letter >= "\uf900"


def _build_compound(folded: str, parts: Sequence[tuple[int, int]]) -> CompoundToken:
    """Builds the parts as slots, and what they are together; offsets are those of the folded text."""
    if len(parts) == 1 or len(parts) > MAX_PARTS:
        slots = tuple(TokenSlot(folded[start:end], start, end) for start, end in parts)
        wholes: tuple[CompoundSpan, ...] = ()
    else:
        slots = tuple(_build_slots(folded, parts))
        wholes = tuple(_find_wholes(folded, slots))
    slots = (*slots[:-1], _add_sign(folded, slots[-1]))
    return CompoundToken(slots, (*_find_marked_wholes(folded, slots), *wholes))


def _build_slots(folded: str, parts: Sequence[tuple[int, int]]) -> list[TokenSlot]:
    """Builds a slot for each part; one that an apostrophe hangs on a word is a whole with it, akin to it."""
    slots: list[TokenSlot] = []
    article = ""
    for at, (start, end) in enumerate(parts):
        part = folded[start:end]
        after = folded[end : end + 1] == "'" and at + 1 < len(parts)
        if after and not article and part in _ELIDED:
            article = part
        elif slots and folded[start - 1] == "'" and slots[-1].end == start - 1 and part == "t":
            slots[-1] = _join_negation(slots[-1], end)
        elif (
            slots and folded[start - 1] == "'" and slots[-1].end == start - 1 and _is_ending(slots[-1], part)
        ):
            last = slots[-1]
            slots[-1] = last._replace(variants=(*last.variants, last.text + part))
        else:
            if at == 0 and part[0] == "v" and part[1:].isdigit():
                part, start = part[1:], start + 1  # v1.2.3 is version 1.2.3
            slots.append(TokenSlot(part, start, end, (article + part,) if article else ()))
            article = ""
    return slots


def _is_ending(word: TokenSlot, ending: str) -> bool:
    return ending in _ENDINGS and _SEVERAL.match(word.text) is not None


def _join_negation(verb: TokenSlot, end: int) -> TokenSlot:
    """Joins n't to its verb: don't is one word, and akin to what it is without its apostrophe."""
    return verb._replace(text=f"{verb.text}'t", end=end, variants=(*verb.variants, f"{verb.text}t"))


def _add_sign(folded: str, slot: TokenSlot) -> TokenSlot:
    """Adds the sign of C++ and C#, names of their own, akin to C."""
    sign = folded[slot.end : slot.end + 3]
    if sign[:2] == "++" and sign != "+++":
        return slot._replace(text=f"{slot.text}++", end=slot.end + 2, variants=(*slot.variants, slot.text))
    if sign[:1] == "#" and len(slot.text) == 1 and not sign[1:2].isalnum():
        return slot._replace(text=f"{slot.text}#", end=slot.end + 1, variants=(*slot.variants, slot.text))
    return slot


def _find_marked_wholes(folded: str, slots: Sequence[TokenSlot]) -> Iterator[CompoundSpan]:
    """Finds .NET with its dot, __init__ with its lines."""
    start, first = slots[0].start, slots[0].text
    opened = start == 1 or (start > 1 and folded[start - 2] in _OPENING)
    if len(slots) == 1 and opened and folded[start - 1] == ".":
        yield CompoundSpan(f".{first}", 0, 0)
    for at, slot in enumerate(slots):
        if folded[max(slot.start - 2, 0) : slot.start] == "__" == folded[slot.end : slot.end + 2]:
            yield CompoundSpan(f"__{slot.text}__", at, at)


def _find_wholes(folded: str, slots: Sequence[TokenSlot]) -> Iterator[CompoundSpan]:
    """Finds elements of several parts, then all together."""
    first = 0
    for last, slot in enumerate(slots):
        if last + 1 == len(slots) or folded[slot.end : slot.end + 1] in _STRONG:
            if first < last and (first or last + 1 < len(slots)):
                yield CompoundSpan(_join_parts(folded, slots[first : last + 1]), first, last)
            first = last + 1
    if len(slots) > 1:
        yield CompoundSpan(_join_parts(folded, slots), 0, len(slots) - 1)


def _join_parts(folded: str, slots: Sequence[TokenSlot]) -> str:
    """Joins the parts into one word, without what joins them where that tells no word from another."""
    word = slots[0].text
    for before, slot in pairwise(slots):
        joint = folded[before.end : slot.start]
        if joint == "," and len(slot.text) == 3:
            joint = ""  # 10,000 is ten thousand
        numbers = word[-1].isdigit() and slot.text[0].isdigit()
        contracted = joint == "'" and slot.text in _CONTRACTED
        elided = re.sub(r"\W|_", "", joint) if joint[-1:] == "'" else ""  # an article inside of a compound
        word += (joint if numbers or contracted or joint == "&" else elided) + slot.text
    return word


def _split_slots_by_case(
    compound: CompoundToken, chunk: str, starts: Sequence[int], ends: Sequence[int]
) -> CompoundToken:
    """Splits slots into the parts that case or a number tells apart: camelCase, python3."""
    if len(compound.slots) > MAX_PARTS:
        return compound
    every = [split_case_parts(chunk[starts[slot.start] : ends[slot.end - 1]]) for slot in compound.slots]
    if not any(every):
        return compound
    slots: list[TokenSlot] = []
    firsts, names = [], []
    for slot, pieces in zip(compound.slots, every, strict=True):
        firsts.append(len(slots))
        if pieces:
            names.append(CompoundSpan(slot.text, len(slots), len(slots) + len(pieces) - 1))
            at = slot.start
            for piece in pieces:
                slots.append(
                    TokenSlot(piece.lower(), at, at + len(piece), (piece.lower(), *slot.variants), False)
                )
                at += len(piece)
        else:
            slots.append(slot)
    firsts.append(len(slots))
    moved = [CompoundSpan(text, firsts[first], firsts[last + 1] - 1) for text, first, last in compound.wholes]
    return CompoundToken(tuple(slots), (*names, *moved))


def split_case_parts(word: str) -> list[str]:
    """Splits a word where case and digits change; [] for one that is in one piece.

    The same with a dot on its i or without: which one a capital I is, only its language tells.
    """
    word = word.replace("ı", "i")
    if not word.isascii() or (word.islower() and word.isalpha()):
        return []
    if numbered := _NUMBERED.fullmatch(word):
        letters, number = numbered.groups()
        return [*(split_case_parts(letters) or [letters]), number]
    pieces = _CASES.findall(word)
    whole = 1 < len(pieces) <= MAX_PARTS and "".join(pieces) == word
    return pieces if whole and all(piece[:2].isalpha() and len(piece) > 1 for piece in pieces) else []


def _shift_offsets(
    compound: CompoundToken, begin: int, starts: Sequence[int], ends: Sequence[int]
) -> CompoundToken:
    """Maps the offsets of a compound into the chunk."""
    slots = [
        TokenSlot(text, starts[begin + start], ends[begin + end - 1], variants, exact)
        for text, start, end, variants, exact in compound.slots
    ]
    return CompoundToken(tuple(slots), compound.wholes)
