"""What a site is called, as its pages say."""

from pathlib import Path

import pytest

from engine.model.page import Page, Section
from engine.suggest.site_names import LONGEST
from tests.engine.index.lexicon.opened import Opener
from tests.engine.index.source import Memory

WORDS = (Section("", "", "amber words"),)


def titled(host: str, *titles: str) -> list[Page]:
    """The front page of a host, and others."""
    paths = ("", *map(str, range(1, len(titles))))
    return [
        Page(f"{host}/{path}", title=title, sections=WORDS) for path, title in zip(paths, titles, strict=True)
    ]


HERBARIUM = [f"Fern {number} — The Herbarium" for number in range(9)]


@pytest.mark.parametrize(
    ("pages", "names", "why"),
    [
        (titled("http://a.example:8080", "Home", *HERBARIUM), {"a.example:8080": "The Herbarium"},
         "the ending that most titles share"),
        (titled("https://a.example", "The moss garden", "Moss", "Peat"), {"a.example": "The moss garden"},
         "few pages have no ending: the title of the front page"),
        (titled("http://a.example", "w" * LONGEST + "w"), {}, "a sentence is no name"),
        (titled("http://a.example", "Index of /"), {}, "what servers call a list of files"),
        (titled("http://a.example", "—"), {}, "nor is what has no letter"),
        ([Page("http://a.example/fern", title="Fern", sections=WORDS)], {}, "no front page"),
        (titled("http://a.example", "Moss\u202e garden"), {"a.example": "Moss garden"},
         "signs that turn text round are no part of a name"),
    ],
)  # fmt: skip
def test_what_sites_are_called(
    open_search: Opener, tmp_path: Path, pages: list[Page], names: dict[str, str], why: str
) -> None:
    assert open_search(tmp_path, Memory(*pages)).search("amber").sites == names, why
