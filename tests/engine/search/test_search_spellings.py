"""However a word is written and however it is typed, over a real index."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.query.parser import parse_tree
from engine.model.page import Page
from engine.relevance.collection import load_collection
from engine.relevance.evaluation import index_collection
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.shared import SHARED

pytestmark = pytest.mark.requirement(297)

PQUAD = SHARED / "data" / "pquad-val"
ARABIC_KEYS = str.maketrans("یک۰۱۲۳۴۵۶۷۸۹", "يك٠١٢٣٤٥٦٧٨٩")

TEXTS = {
    "python": (
        "en",
        "Call asyncio.Queue.put_nowait(item) of camelCase fame. To be, or not to be: C is a letter.",
    ),
    "spaced": ("en", "You may put it nowait in the queue of a camel case. C is C."),
    "cpp": ("en", "C++ and C and .NET and version v3.11.2 of e-mail."),
    "net": ("en", "A net, eleven, an email; 3 and then 11."),
    "zolw": ("pl", "Tu mieszka żółw z miasta Łodzi."),
    "plain": ("pl", "Tu mieszka zolw z miasta Lodzi."),
    "joint": ("fa", "او می\u200cخواهد کتاب یک را"),
    "space": ("fa", "او می خواهد و رفت"),
    "joined": ("fa", "او میخواهد و رفت"),
    "han": ("zh", "这是一本书"),
    "hangul": ("ko", "책을 읽다"),
    "turkish": ("tr", "IĞDIR'da bir İZMİR var"),
    "greek": ("el", "ΑΘΗΝΑΣ"),
    "greek2": ("el", "Αθήνας"),
}


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    data_dir = tmp_path_factory.mktemp("spellings")
    pages: list[Page] = [
        page(f"http://{name}.example/", text, language=language) for name, (language, text) in TEXTS.items()
    ]
    Follower(Memory(*pages), data_dir).catch_up()
    with closing(SearchService(data_dir)) as opened:
        yield opened


HITS = [
    ("asyncio.Queue.put_nowait", "python", "whole"),
    ("put_nowait", "python", "an element"),
    ("Queue.put_nowait", "python", "parts side by side"),
    ("nowait", "spaced python", "a part; the shorter text first"),
    ("camelCase", "python spaced", "whole, then its parts"),
    ("camelcase", "python", "in small letters"),
    ("camel case", "spaced python", "in parts"),
    ('"camel case fame"', "python", "a phrase goes by parts"),
    ('"of camelCase fame"', "python", "a compound in a phrase"),
    ('"to be or not to be"', "python", "no word is too frequent"),
    ("C++", "cpp", "not every C"),
    ("C", "spaced cpp python", "every C, those in C++ count less"),
    (".NET", "cpp net", "with its dot first"),
    ("3.11", "cpp", "a part of a version; 3 and 11 apart are none"),
    ("v3.11.2", "cpp", "a version with its v"),
    ("email", "net cpp", "an e-mail is one"),
    ("e-mail", "cpp net", "and the other way round"),
    ("queue -put_nowait", "spaced", "a compound left out"),
    ("fame --no-cache", "python", "an option is no minus: some of the words"),
    ("żółw", "zolw plain", "exact spelling first"),
    ("zolw", "plain zolw", "typed without accents"),
    ("żolw", "plain zolw", "typed with some of them: either will do"),
    ("LODZI", "plain zolw", "a letter that is not taken apart"),
    ("می\u200cخواهد", "joint space joined", "a Persian verb with its joint, in two words, in one"),
    ("می خواهد", "space joint", "in two words"),
    ("میخواهد", "joined joint", "in one"),
    ("كتاب يك", "joint", "typed with Arabic letters"),
    ("书", "han", "a single letter, at the end"),
    ("本", "han", "and inside"),
    ("책", "hangul", "a syllable that is a word"),
    ("ığdır", "turkish", "a Turkish capital I"),
    ("igdir izmir", "turkish", "on another keyboard"),
    ("αθηνας", "greek greek2", "a final sigma, no tonos"),
]


@pytest.mark.parametrize(("typed", "names", "why"), HITS, ids=range(len(HITS)))
def test_what_is_typed_finds_what_is_written(search: SearchService, typed: str, names: str, why: str) -> None:
    """Order counts: the exact spelling comes first."""
    hits = [hit.url.split("/")[2].partition(".")[0] for hit in search.search(typed).hits]
    assert hits == names.split(), why


def queries() -> list[str]:
    return list(load_collection(PQUAD).queries.values())


@pytest.mark.shared("data/pquad-val")
def test_persian_queries_are_the_same_in_letters_of_either_keyboard() -> None:
    """One query tree, so the same hits."""
    typed = queries()[::5]
    assert sum(query.translate(ARABIC_KEYS) != query for query in typed) > 200
    for query in typed:
        assert parse_tree(query.translate(ARABIC_KEYS), ["fa"]) == parse_tree(query, ["fa"])


@pytest.mark.long
@pytest.mark.shared("data/pquad-val")
def test_persian_result_lists_are_the_same_in_letters_of_either_keyboard(tmp_path: Path) -> None:
    """Over a whole collection, for every fifth query."""
    collection = load_collection(PQUAD)
    index_collection(collection, tmp_path, lambda done, total: None)
    with closing(SearchService(tmp_path)) as search:
        for query in queries()[::5]:
            one, other = (search.search(typed, size=100) for typed in (query, query.translate(ARABIC_KEYS)))
            assert [hit.url for hit in one.hits] == [hit.url for hit in other.hits]
            assert one.total == other.total
