"""Pages that were made to take memory, of ten megabytes or as near as it needs: a table of what they are.

Each is made of a number, so that several of one kind differ in every word that can differ.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice
from random import Random
from typing import NamedTuple

SIZE = 10_000_000  # bytes, or a little more: as much as a page may have (DOWNLOAD_MAXSIZE)
CJK = range(0x4E00, 0x9FA5)  # unified ideographs


class HostilePage(NamedTuple):
    """One kind of page: its media type, how its body is made of a number, and what it tries to exhaust."""

    name: str
    media_type: str
    make: Callable[[int], bytes]
    why: str


def _filled(pieces: Iterator[str]) -> bytes:
    """As many pieces as are allowed."""
    made, size = [], 0
    for piece in pieces:
        octets = piece.encode()
        made.append(octets)
        size += len(octets)
        if size >= SIZE:
            break
    return b"".join(made)[:SIZE]


def _unique_words(number: int) -> bytes:
    return _filled(f"{number:x}q{at:x} " for at in count())


def _unique_letters(number: int) -> bytes:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return _filled("".join(_digits(at * 40 + number, letters)) + " " for at in count())


def _digits(at: int, letters: str) -> Iterator[str]:
    while at:
        at, one = divmod(at, len(letters))
        yield letters[one]


def _short_words(number: int) -> bytes:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return _filled(f"{letters[(at + number) % 26]} " for at in count())


def _names(number: int) -> bytes:
    """Names of many parts, each of which is a term and part of others."""
    return _filled(f"aB{at}.cD{number}.eF-{at}_gH.i{at} " for at in count())


def _cases(number: int) -> bytes:
    return _filled(
        "".join(f"{chr(97 + (at + n) % 26)}{chr(65 + n)}{at % 10}" for n in range(20)) + f"{number} "
        for at in count()
    )


def _ideographs(number: int) -> bytes:
    draw = Random(number)
    return _filled("".join(map(chr, draw.choices(CJK, k=1000))) for _ in count())


def _accents(number: int) -> bytes:
    draw = Random(number)
    letters = "żółćęśąźńäöüßéèêøåæğışçñřžů"
    return _filled("".join(draw.choices(letters, k=8)) + " " for _ in count())


def _any_letters(number: int) -> bytes:
    draw = Random(number)
    return _filled("".join(chr(draw.randrange(0x20000, 0x2A6D0)) for _ in range(500)) for _ in count())


def _links(number: int) -> bytes:
    return b"<title>links</title>" + _filled(f"<a href=/{number}/{at:x}>" for at in count())


def _same_links(_number: int) -> bytes:
    return b"<a>" * 3_300_000


def _long_links(number: int) -> bytes:
    return _filled(f"<a href=/{number}/{at}{'u' * 1900}>{at} {'word ' * 40}</a> " for at in count())


def _anchors(number: int) -> bytes:
    return _filled(
        f"<a href=/{at}>{' '.join(f'{number}w{at}x{n}' for n in range(20_000))}</a>" for at in count()
    )


def _anchors_to_one(number: int) -> bytes:
    return _filled(
        f"<a href=/target>{' '.join(f'{number}w{at}x{n}' for n in range(14))}</a>" for at in count()
    )


def _nested(_number: int) -> bytes:
    return b"<div>" * 1_000_000 + b"deep"


def _formatted(number: int) -> bytes:
    return _filled(f"<font size={at % 90}><p>{number}" for at in count())


def _one_word(number: int) -> bytes:
    return b"<p>" + (f"{number}a" * SIZE).encode()[: SIZE - 3]


def _headings(number: int) -> bytes:
    return _filled(islice((f"<h2 id=f{at}>{number}h{at}</h2><p>{number}t{at} " for at in count()), 100_000))


def _terms(number: int) -> bytes:
    return b"<dl>" + _filled(f"<dt id=f{at}>{number}h{at}<dd>{number}t{at} " for at in count())


def _attribute(number: int) -> bytes:
    return b"<p>text</p><div title='" + (f"{number}v " * SIZE).encode()[: SIZE - 40] + b"'>end</div>"


def _attributes(number: int) -> bytes:
    return b"<p>text</p><div " + _filled(f"a{number}x{at}=1 " for at in count())


def _title(number: int) -> bytes:
    return b"<title>" + _unique_words(number)[: SIZE - 50] + b"</title><p>text"


def _keywords(number: int) -> bytes:
    return b"<meta name=keywords content='" + _unique_words(number)[: SIZE - 50] + b"'><p>text"


def _rest(number: int) -> bytes:
    return (
        b"<main><p>text "
        + b"of it " * 60
        + b"</main><footer>"
        + _filled(f"<p>{number}q{at}" for at in count())
    )


def _entities(number: int) -> bytes:
    return b"<p>" + b"&fjlig;&NotEqualTilde; " * 430_000 + str(number).encode()


def _lines(number: int) -> bytes:
    return _filled(f"{number}{at}\n" for at in count())


def _blocks(number: int) -> bytes:
    return _filled(f"<p>{number}{at}" for at in count())


HTML, TEXT = "text/html", "text/plain"
HOSTILE_PAGES = (
    HostilePage("unique words", TEXT, _unique_words, "each word is a term of its own"),
    HostilePage("unique letters", TEXT, _unique_letters, "the same without digits: stems are looked for"),
    HostilePage("unique words in HTML", HTML, lambda n: b"<p>" + _unique_words(n)[: SIZE - 3], "and a tree"),
    HostilePage("words of one letter", TEXT, _short_words, "as many positions as there can be"),
    HostilePage("names", TEXT, _names, "several terms at each position"),
    HostilePage("cases", TEXT, _cases, "parts that case and digits show"),
    HostilePage("ideographs", TEXT, _ideographs, "each pair is a term, and its letters are, too"),
    HostilePage("ideographs in HTML", HTML, lambda n: b"<p>" + _ideographs(n)[: SIZE - 3], "and a tree"),
    HostilePage("rare letters", TEXT, _any_letters, "four octets each, beyond the basic plane"),
    HostilePage("accents", TEXT, _accents, "words that are typed otherwise, too"),
    HostilePage("links", HTML, _links, "an element and a URL each"),
    HostilePage("open links", HTML, _same_links, "elements that close one another"),
    HostilePage("long links", HTML, _long_links, "the longest URLs that are kept"),
    HostilePage("anchor texts", HTML, _anchors, "of megabytes"),
    HostilePage("anchor texts to one page", HTML, _anchors_to_one, "which is given all of them"),
    HostilePage("nested", HTML, _nested, "a million open elements"),
    HostilePage("reopened", HTML, _formatted, "formatting elements that are opened again"),
    HostilePage("one word", HTML, _one_word, "of ten megabytes"),
    HostilePage("headings", HTML, _headings, "a hundred thousand sections"),
    HostilePage("terms", HTML, _terms, "a hundred thousand definitions"),
    HostilePage("attribute", HTML, _attribute, "of ten megabytes"),
    HostilePage("attributes", HTML, _attributes, "of one tag"),
    HostilePage("title", HTML, _title, "of ten megabytes"),
    HostilePage("keywords", HTML, _keywords, "of ten megabytes"),
    HostilePage("footer", HTML, _rest, "what stands beside the text"),
    HostilePage("entities", HTML, _entities, "that stand for several letters"),
    HostilePage("lines", TEXT, _lines, "as short as lines can be"),
    HostilePage("blocks", HTML, _blocks, "as short as paragraphs can be"),
)
