"""What was typed with another keyboard layout switched on."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.suggest.keyboard import retype
from tests.engine.index.source import Memory, page

TEXTS = ("привет мир", "hello world", "книга про їжака", "ўсё будзе добра", "سلام دنیا", "объём дома")


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder: Path = tmp_path_factory.mktemp("keyboard")
    pages = [page(f"http://a.example/{number}", text) for number, text in enumerate(TEXTS)]
    Follower(Memory(*pages), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.requirement(297)
@pytest.mark.parametrize(
    ("typed", "meant", "why"),
    [
        ("ghbdtn", "привет", "Russian on Latin keys"),
        ("Ghbdtn Vbh", "привет мир", "several words, in capitals"),
        ("руддщ", "hello", "Latin on Russian keys"),
        ("j,]`v", "объём", "letters on the keys of marks"),
        ("];frf", "їжака", "Ukrainian"),
        ("oc` ,elpt", "ўсё будзе", "Belarusian"),
        ("sghl nkdh", "سلام دنیا", "Persian"),
        ("привет", "", "it is found as it is"),
        (";b;frf", "", "a word that is in no page either way"),
        ("ghbdtn vbhf", "", "only one of the words would be found"),
        ("ghbdtn world", "", "one of the words is found as it is"),
        ("]", "", "a mark"),
        ("", "", "nothing"),
    ],
)
def test_what_was_meant(search: SearchService, typed: str, meant: str, why: str) -> None:
    assert search.search(typed).did_you_mean == meant, why


@given(st.text("qwertyuiopasdfghjklzxcvbnm", min_size=1))
def test_a_layout_is_undone_by_the_layout_it_was_taken_for(typed: str) -> None:
    assert all(typed in retype(way) for way in retype(typed))
