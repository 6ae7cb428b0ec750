"""Did you mean: misspelled words of a query, and those that only look so."""

import pydoc_data.topics
import random
import string
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.query.tree import Query
from engine.search.search import SearchService
from engine.suggest.spelling import TIMES_MORE, VERY_FEW, did_you_mean
from tests.engine.index.lexicon.opened import Opener
from tests.engine.index.source import Memory, page

ROW = "amber basil cedar dune"


def saying(*texts: str) -> Memory:
    return Memory(*(page(f"http://a.example/{number}", text) for number, text in enumerate(texts)))


@pytest.fixture(scope="module")
def search(open_search: Opener, tmp_path_factory: pytest.TempPathFactory) -> SearchService:
    often = ["amber receive żółw привет संस्कृत x"] * 60
    often += ["string"] * 9
    some = [
        "storing",
        "amber beryl",
        "cat",
        "recieve",
        "recieves amber",
        "chrysanthemum",
        "sha256",
        "Mg\u0142a bcde",
        "指令索引",
    ]
    source = saying(*often, *some, "bezel", *["bevel"] * 3)
    return open_search(tmp_path_factory.mktemp("mending"), source)


@pytest.mark.requirement(296)
@pytest.mark.parametrize(
    ("typed", "meant", "why"),
    [
        ("ambr", "amber", "a letter is missing"),
        ("ambeer", "amber", "a letter too many"),
        ("ambir", "amber", "another letter"),
        ("abmer", "amber", "two letters swapped"),
        ("Abmer", "amber", "case does not matter"),
        ("amber", "", "nothing is wrong"),
        ("recieve", "receive", "a misspelling that pages have, too, but the word far more often"),
        (
            "stroing",
            "storing",
            "two letters swapped are likelier than one too many, though that word is commoner",
        ),
        ("strng", "string", "a letter is missing"),
        ("beryl", "", "a rare word that is like another rare one"),
        ("bezel", "", "a rare word, and one letter away another that is hardly less rare"),
        ("chrisantemum", "chrysanthemum", "two edits in a long word"),
        ("amberreceive", "amber receive", "two words in one"),
        ("receiveżółw", "receive żółw", "the second of four letters"),
        ("ambercat", "", "one of them is too rare"),
        ("xmbxr", "", "two edits in a short one"),
        ("amber chrysanthemun", "amber chrysanthemum", "no page has both, but each is found then"),
        ("ambr recieve", "amber receive", "each word"),
        ("амбер", "", "on other keys it is no word, and that is no other word's misspelling"),
        ("фьиук", "amber", "typed with another keyboard switched on"),
        ("ghbdtn", "привет", "and the other way round"),
        ("kalium ambr", "kalium amber", "one word stays unknown; pages with the other are more than none"),
        ("kalium amber recieves", "", "a word is found as it is, and no page has more of them"),
        ('"amber recieve"', '"amber receive"', "quotation marks stay"),
        ("ambr OR recieve", "amber OR receive", "operators stay"),
        ("amber -recieve", "", "what is not wanted is left alone"),
        ("site:ambr", "", "what stands behind an operator is no word"),
        ("sha255", "", "a number is what it is"),
        ("ca", "", "two letters say too little"),
        ("cta", "cat", "three say enough"),
        ("првиет", "привет", "any script"),
        ("संस्कत", "संस्कृत", "a mark that is missing is an edit as well"),
        ("żoółw", "żółw", "accents"),
        ("指令索引", "", "written without spaces, it is no word of the lexicon, and like none"),
        ("指令索", "", "nor is it where no page has the whole of it"),
        ("amber検索", "", "nor with a word of another script beside it"),
        ("zolw", "", "without its accents it is found as it is"),
        ("(ambr),", "(amber),", "marks around a word stay"),
        ("a" * 5_000, "", "longer than any word"),
        ("", "", "nothing at all"),
        ("\ud800ambr", "\ud800amber", "half a character is no letter, and stops nothing"),
    ],
)
def test_what_was_meant(search: SearchService, typed: str, meant: str, why: str) -> None:
    """Whatever is typed."""
    assert search.search(typed).did_you_mean == meant, why


def test_the_misspelling_is_mended_in_what_several_segments_have_together(
    open_search: Opener, tmp_path: Path
) -> None:
    source = Memory(*(page(f"http://a.example/{number}", "amber") for number in range(3)))
    Follower(source, tmp_path).catch_up()
    source.put(page("http://a.example/new", "amber umber"))
    assert open_search(tmp_path, source).search("amer").did_you_mean == "amber"


def test_what_finds_enough_is_not_doubted(open_search: Opener, tmp_path: Path) -> None:
    """A word that VERY_FEW pages have may be misspelled in all of them, one that more have is a word."""
    often = ["receive"] * (TIMES_MORE * (VERY_FEW + 1))
    few, more = ["recieve"] * VERY_FEW, ["receipe"] * (VERY_FEW + 1)
    search = open_search(tmp_path, saying(*often, *few, *more))
    assert (search.search("recieve").did_you_mean, search.search("recieve").total) == ("receive", VERY_FEW)
    assert (search.search("receipe").did_you_mean, search.search("receipe").total) == ("", VERY_FEW + 1)


def test_a_word_that_left_is_not_offered(open_search: Opener, tmp_path: Path) -> None:
    source = Memory(page("http://a.example/1", "amber"), page("http://a.example/2", "basil"))
    Follower(source, tmp_path).catch_up()
    source.remove("http://a.example/1")
    search = open_search(tmp_path, source)
    assert (search.search("ambr").did_you_mean, search.search("basl").did_you_mean) == ("", "basil")


def misspelled(word: str, dice: random.Random, known: set[str]) -> str:
    """The word with one edit, which makes no other word."""
    while True:
        at, letter = dice.randrange(len(word)), dice.choice(string.ascii_lowercase)
        wrong = dice.choice(
            [
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            ]
        )
        if wrong not in known:
            return wrong


def test_nine_in_ten_misspellings_are_mended(open_search: Opener, tmp_path: Path) -> None:
    """300 words of the Python reference, each with one edit."""
    texts = list(pydoc_data.topics.topics.values())
    known = {word for text in texts for word in text.lower().split() if word.isascii() and word.isalpha()}
    words = sorted(word for word in known if len(word) > 3)
    dice, mended = random.Random(8), 0
    search = open_search(tmp_path, saying(*texts))
    for word in dice.sample(words, 300):
        mended += search.search(misspelled(word, dice, known)).did_you_mean == word
    assert mended >= 270


def test_words_are_counted_together(search: SearchService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster is asked a few times, however many words there are."""
    asked = list[int]()
    with search._borrow() as opened:
        here = opened.session()
        count = here.count_hits

        def spied(queries: Sequence[Query]) -> list[int]:
            asked.append(len(queries))
            return count(queries)

        monkeypatch.setattr(here, "count_hits", spied)
        meant = did_you_mean(here, "ambr recieve stroing chrisantemum")
    assert meant == "amber receive storing chrysanthemum"
    assert asked == [1, 4, 4, 4], "the query, its words, those that are doubted, and those that were meant"
