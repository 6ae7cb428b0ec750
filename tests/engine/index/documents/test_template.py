"""A page apart from its host's template: which lines move, and what stays."""

import pytest

from engine.index.documents.template import (
    MAX_BLOCKS,
    MAX_TITLE_WORDS,
    NOTHING,
    RepeatedBlocks,
    find_repeated,
    move_repeated,
    number_blocks,
    strip_repeated_words,
)
from engine.model.page import Page, Section

MENU = "Home\nAmber\nBasil"


def page(*sections: tuple[str, str], rest: str = "") -> Page:
    return Page(
        "http://a.example/", sections=tuple(Section(head, "id", text) for head, text in sections), rest=rest
    )


def numbers(*lines: str) -> list[int]:
    return number_blocks(page(("", "\n".join(lines)))).different


TEMPLATE = frozenset(number_blocks(page(("", MENU), ("See also", "Imprint"))).different)

CASES = [
    (page(("", f"{MENU}\nThe page on amber.")), ((0, 1, 2), set()), "the menu moves, the text stays"),
    (page(("Amber", f"Text.\n{MENU}")), ((1, 2, 3), set()), "a word of the menu stays where it is a heading"),
    (page(("", "A"), ("See also", "Imprint\nB")), ((1,), {"See also"}), "a heading that all pages have"),
    (page(("", "A"), ("", ""), ("x", "B\nHome")), ((3,), set()), "a section without text has one line, too"),
    (page(("", "Home\nHome\nA")), ((0, 1), set()), "wherever it stands"),
    (page(("", "Home, sweet home")), ((), set()), "a line moves as a whole or not at all"),
    (page(("", MENU)), ((), set()), "a page that says nothing else keeps it"),
    (page(("See also", MENU), ("", "")), ((), set()), "headings and empty sections are nothing else"),
    (page(("Amber", MENU)), ((0, 1, 2), set()), "a heading of its own is something else"),
    (page(), ((), set()), "no text at all"),
    (page(("", "A\n\nHome\n")), ((2,), set()), "a line without words stays where it is"),
    (page(("", "\n\n" + MENU)), ((), set()), "and is nothing else that the page says"),
    (page(("", "A\fB\nHome\n\fBasil")), ((1,), set()), "a line that a page feed begins is another"),
    (page(("See\nalso\fx", "A\nHome")), ((1,), set()), "whatever stands in a heading, it is one"),
    (page(("", "A \ud800\nHome")), ((1,), set()), "half a letter is no obstacle"),
]


@pytest.mark.parametrize(("of", "expected", "why"), CASES, ids=[why for _, _, why in CASES])
def test_what_the_host_repeats_moves(of: Page, expected: tuple[tuple[int, ...], set[str]], why: str) -> None:
    lines, headings = expected
    assert find_repeated(of, number_blocks(of), TEMPLATE) == RepeatedBlocks(lines, frozenset(headings)), why


def test_without_a_template_nothing_moves() -> None:
    of = page(("", MENU))
    other = page(("", "x"))
    assert (
        find_repeated(of, number_blocks(of), frozenset())
        is find_repeated(other, number_blocks(other), TEMPLATE)
        is NOTHING
    )
    assert move_repeated(of, ()) is of


def test_lines_move_to_the_rest_and_sections_keep_their_headings() -> None:
    of = page(("", "Home\nA\nB"), ("See also", "Basil\nC"), ("Last", ""), rest="Cookies?")
    assert move_repeated(of, (0, 3)) == page(
        ("", "A\nB"), ("See also", "C"), ("Last", ""), rest="Cookies?\nHome\nBasil"
    )


TITLES = [
    ("git-status(1)", {"git", "1"}, "status", "the host's name and the section of its manual"),
    (
        "Sockets — Python 3.11 documentation",
        {"python", "3", "11", "documentation"},
        "sockets",
        "behind a sign",
    ),
    ("Apache Module mod_rewrite", {"apache", "module", "mod"}, "rewrite", "parts of a word"),
    ("mod_rewrite", {"apache"}, "mod_rewrite", "a word of parts stays as it is spelled"),
    ("Die Österreichische Post", {"die"}, "österreichische post", "letters of other languages"),
    ("हिन्दी विकि", {"विकि"}, "हिन्दी", "signs of vowels are parts of a word"),
    ("カイツブリ｜鳥の図鑑", {"鳥の図鑑"}, "カイツブリ", "and where words have no spaces"),
    ("git(1)", {"git", "1"}, "git(1)", "a title that has no other word is whole"),
    ("Amber", set(), "amber", "nothing is repeated"),
    ("— | —", {"amber"}, "— | —", "no word at all"),
    ("", {"amber"}, "", "no title"),
]


@pytest.mark.parametrize(("title", "repeated", "own", "why"), TITLES, ids=[why for *_, why in TITLES])
def test_the_own_words_of_a_title(title: str, repeated: set[str], own: str, why: str) -> None:
    found = strip_repeated_words(title, repeated)
    signs = " -—.()_｜"
    assert " ".join(filter(None, (word.strip(signs) for word in found.casefold().split()))) == own.strip(
        signs
    ), why


@pytest.mark.parametrize("text", ["", MENU, "A"], ids=["no text", "the menu alone", "its own"])
def test_words_that_titles_repeat(text: str) -> None:
    """Whatever else is repeated; a line or heading of the same word is another block."""
    titles = frozenset(number_blocks(Page("http://a.example/", title="Amber – the shop")).different)
    of = Page(
        "http://a.example/",
        title="Shop: THE olive",
        sections=(Section("the", "", text), Section("", "", "shop")),
    )
    assert find_repeated(of, number_blocks(of), titles) == RepeatedBlocks(
        title_words=frozenset({"shop", "the"})
    )


def test_of_an_endless_title_the_first_words_are_numbered() -> None:
    of = Page("http://a.example/", title=" ".join(map(str, range(10 * MAX_TITLE_WORDS))))
    assert list(number_blocks(of).title_words) == [str(number) for number in range(MAX_TITLE_WORDS)]


def test_of_a_long_page_the_beginning_and_the_end_are_looked_at() -> None:
    lines = [f"line {number}" for number in range(10 * MAX_BLOCKS)]
    ends = lines[: MAX_BLOCKS // 2] + lines[-MAX_BLOCKS // 2 :]
    assert numbers(*lines) == numbers(*ends)


def test_a_block_has_the_same_number_on_every_page_and_in_every_process() -> None:
    assert number_blocks(page(("Home", "Home\nŻółw 龟"))).each.tolist() == [
        -1027149018543708051,
        4614237348471754240,
        -2138041265430530493,
    ]
