"""Filters and names, from what is typed to the pages that are found."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import PDF
from engine.index.indexing.follow import Follower
from engine.index.scoring.terms import MAX_BEGUN
from engine.model.note import Note, NoteKind
from engine.model.page import Link, Page
from engine.search import QUERY_SYNTAX, SearchService
from tests.engine.index.source import Memory, page


def at(year: int, month: int, day: int) -> float:
    return datetime(year, month, day, 12, tzinfo=UTC).timestamp()


GUIDE = "https://docs.example.org/3/guide"
PAGES = {
    "guide": replace(page(GUIDE, "amber basil", "The guide", language="en"), modified=at(2020, 2, 29)),
    "old": replace(
        page("https://docs.example.org/2/guide", "amber dune configuration", language="en"),
        published=at(2014, 1, 2),
    ),
    "port": replace(page("http://example.org:8080/paper", "amber"), media_type=PDF),
    "other": page("http://example.net/guide/3", "amber", "Basil of the guide", [Link(GUIDE, "x")], "pl"),
    "linking": page(
        "http://notexample.org/", "cedar; the guide", "guide The", [Link("http://www.example.org/g", "y")]
    ),
}  # fetched in 2023

FOUND = [
    ("site:example.org", "guide old port", "a domain and all below it, but no name that ends like it"),
    ("site:docs.example.org amber", "guide old", "a host"),
    ("site:docs.example.org/3", "guide", "a path"),
    ("site:http://docs.example.org", "", "the other scheme"),
    ("site:example.org:8080", "port", "a port"),
    ("amber -site:example.org", "other", "all but a domain"),
    ("-site:org", "other", "and nothing else said"),
    ("inurl:guide", "guide old other", "a word of the address"),
    ("amber -inurl:3", "old port", "and not"),
    ("intitle:guide", "guide other linking", "a word of the title"),
    ('intitle:"the guide"', "guide other", "words side by side in it, not in the text of one that has both"),
    ("amber dune intitle:basil", "other", "some of the words, but the title's"),
    ('"configuration"', "old", "a word as it is"),
    ('"configurations"', "", "another form of it stands there"),
    ('amber dune "basil"', "guide other", "some of the words, but the one in quotation marks"),
    ('absent "basil"', "guide other", "no page has all"),
    ('amber -"dune"', "guide port other", "and not"),
    ("amber -intitle:basil", "guide old port", "basil in a text is none in the title"),
    (f"link:{GUIDE}", "other linking", "and links to another address of the page"),
    ("link:docs.example.org/3/guide", "other linking", "without its scheme"),
    ("link:https://nowhere.example/", "", "nobody links there"),
    (f"amber -link:{GUIDE}", "guide old port", "and not"),
    ("filetype:pdf", "port", "a type"),
    ("amber -filetype:pdf", "guide old other", "and not"),
    ("lang:pl", "other", "a language"),
    ("amber before:2020-03", "guide old", "a date as the page says"),
    ("amber before:2020-02-29", "old", "that day is not before itself"),
    ("amber after:2020-02-29 before:2023", "guide", "from that day on"),
    ("amber -after:2020", "old", "and not"),
    ("amber after:2023-11", "port other", "when it was fetched"),
    ("conf*", "old", "a beginning of a word"),
    ("configurati*", "old", "that is longer than its stem"),
    ("amber -conf*", "guide port other", "and not"),
    ("site:example.net OR filetype:pdf", "other port", "either of two filters"),
    ("amber absent site:example.net", "other", "some of the words, but not of the filters"),
]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("filters")
    source = Memory(*PAGES.values())
    source.stand("http://www.example.org/g", GUIDE)
    Follower(source, folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "expected", "why"), FOUND)
def test_filters_narrow_what_is_found(search: SearchService, typed: str, expected: str, why: str) -> None:
    names = {one.url: name for name, one in PAGES.items()}
    assert {names[hit.url] for hit in search.search(typed).hits} == set(expected.split()), why


def test_a_filter_moves_no_score(search: SearchService) -> None:
    (alone,) = [hit.score for hit in search.search("dune").hits]
    assert [hit.score for hit in search.search("dune site:org before:2015").hits] == [alone]


@pytest.mark.requirement(300)
def test_filters_alone_find_pages_by_inlinks_then_url(search: SearchService) -> None:
    hits = search.search("site:org").hits
    assert [hit.url for hit in hits] == [GUIDE, *sorted(hit.url for hit in hits[1:])]


@pytest.mark.requirement(296)
@pytest.mark.parametrize("typed", [typed for typed, _ in QUERY_SYNTAX])
def test_every_example_is_read_as_it_says(search: SearchService, typed: str) -> None:
    assert search.search(typed).notes == ()
    page = (Path(__file__).parents[3] / "docs/query-syntax.md").read_text(encoding="utf-8")
    assert typed.partition(":")[0] in page


@pytest.mark.folder
def test_of_many_words_that_begin_alike_the_rarest_are_left_out(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("many")
    often = page("http://a.example/", " ".join(f"zy{n:03}" for n in range(MAX_BEGUN)))
    same = replace(often, url="http://b.example/", title="other")
    rare = page("http://c.example/", "zzz zyrare")
    Follower(Memory(often, same, rare), folder).catch_up()
    with closing(SearchService(folder)) as search:
        results = search.search("zy*")
        assert {hit.url for hit in results.hits} == {often.url, same.url}
        assert results.notes == (Note(NoteKind.TOO_MANY_EXPANSIONS, "zy", MAX_BEGUN),)
        assert [hit.url for hit in search.search("zz*").hits] == [rare.url]


NAMES = {
    "queue": ("asyncio.Queue", "class asyncio.Queue(maxsize=0): a first in, first out queue."),
    "queues": ("Queues", "A queue of the asyncio kind may be waited for; the queue module is for threads."),
    "cache": ("docker build --no-cache", "With --no-cache no layer is taken from before."),
    "caches": ("Caches", "There is no reason to trust a cache, nor to build without one."),
    "c++": ("C++ templates", "In C++ a template is filled in by the compiler."),
    "c": ("C macros", "In C a macro is filled in by the preprocessor."),
    "vector": ("std::vector", "std::vector<int> is in the header: #include <vector>."),
    "vectors": ("Vectors", "A vector space; std, the standard deviation of a vector."),
    ".net": (".NET", "The .NET runtime."),
    "net": ("Fishing", "A net is mended by hand; the net is dry."),
    "foo_bar": ("foo_bar()", "foo_bar takes two arguments."),
    "foo": ("foo", "A foo at the bar; bar before foo."),
    "camel": ("camelCase", "Names in camelCase have humps."),
    "camels": ("Camels", "In case of a camel, use another case."),
    "3.11": ("What is new in 3.11", "Python 3.11 is faster."),
    "3.1": ("What is new in 3.1", "Python 3.1 had 11 fixes in part 3."),
    "join": ("os.path", "os.path.join(path, *paths) joins paths."),
    "path": ("Paths", "The path of an OS is no place to join."),
    "dataclass": ("dataclasses", "@dataclass adds methods to a class."),
    "data": ("Data", "A class of data."),
    "property": ("Built-in functions", "@property makes a method an attribute: class property(fget=None)."),
    "properties": ("Landlords", "A property is let, or sold."),
    "init": ("Data model", "object.__init__(self) is called after the instance was created by __new__()."),
    "inits": ("Booting", "The init process is the first; to init is to begin."),
    "passwd": ("Users", "Accounts are listed in /etc/passwd, their groups in /etc/group."),
    "passwds": ("Passwords", "passwd sets one, and so on, etc. The passwd program asks twice."),
    "dry-run": ("Options", "With dry-run=1 nothing is written."),
    "dry": ("Weather", "Run while it is dry; dry and run."),
    "e-mail": ("Letters", "Send an e-mail to the list."),
    "mail": ("Post", "The mail comes at noon; e is a letter."),
    "c#": ("C# in depth", "C# has delegates."),
    "node.js": ("Servers", "node.js runs scripts on the server."),
    "node": ("Trees", "A node has a child; js."),
    "wall": ("gcc -Wall", "The option -Wall turns warnings on in gcc."),
    "gcc": ("gcc", "gcc compiles; its warnings are off."),
    "shell": ("$PATH", "The shell looks for commands in $PATH."),
}
FIRST = [
    ("asyncio.Queue", "queue", "queues"),
    ("asyncio.queue", "queue", "queues"),
    ("--no-cache", "cache", "caches"),
    ("docker --no-cache", "cache", "caches"),
    ("C++", "c++", "c"),
    ("c++ template", "c++", "c"),
    ("std::vector", "vector", "vectors"),
    ("#include <vector>", "vector", "vectors"),
    (".NET", ".net", "net"),
    ("foo_bar", "foo_bar", "foo"),
    ("foo_bar()", "foo_bar", "foo"),
    ("camelCase", "camel", "camels"),
    ("3.11", "3.11", "3.1"),
    ("os.path.join()", "join", "path"),
    ("os.path.join", "join", "path"),
    ("@dataclass", "dataclass", "data"),
    ("@property", "property", "properties"),
    ("__init__", "init", "inits"),
    ("/etc/passwd", "passwd", "passwds"),
    ("dry-run", "dry-run", "dry"),
    ("e-mail", "e-mail", "mail"),
    ("C#", "c#", "c"),
    ("node.js", "node.js", "node"),
    ('"node.js"', "node.js", "node"),
    ('"C++"', "c++", "c"),
    ('"asyncio.Queue"', "queue", "queues"),
    ('intitle:"asyncio.Queue"', "queue", "queues"),
    ("-Wall", "wall", "gcc"),
    ('gcc "-Wall"', "wall", "gcc"),
    ("$PATH commands", "shell", "path"),
    ("asyncio.Qu*", "queue", "queues"),
]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("names")
    pages: list[Page] = [
        page(f"http://h{at}.example/", text, title, language="en")
        for at, (title, text) in enumerate(NAMES.values())
    ]
    Follower(Memory(*pages), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.requirement(297)
@pytest.mark.parametrize(("typed", "first", "behind"), FIRST)
def test_names_as_they_are_typed_find_what_they_name(
    names: SearchService, typed: str, first: str, behind: str
) -> None:
    """And what has but its parts is not before it."""
    found = [
        list(NAMES)[int(hit.url[len("http://h") :].partition(".")[0])] for hit in names.search(typed).hits
    ]
    assert found[:1] == [first]
    assert behind not in found[:1]


MALFORMED = [
    *(
        '"',
        "-",
        "()",
        "(",
        "site:",
        "before:yesterday",
        "OR",
        "OR OR",
        "AND NOT",
        "NOT",
        "*",
        '""',
        '-"',
        "-site:",
    ),
    *(
        "intitle:",
        'intitle:"',
        'intitle:" "',
        "link:",
        "lang:",
        "::",
        "asyncio",
        ' "C++',
        "\x00",
        "\ud800",
        "~",
    ),
]


@pytest.mark.requirement(296)
@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(MALFORMED) | st.text(max_size=3), max_size=6).map(" ".join))
def test_whatever_is_typed_is_answered(names: SearchService, typed: str) -> None:
    """No query stops the search, and each can be completed and explained."""
    results = names.search(typed)
    assert results.total >= len(results.hits)
    names.complete(typed)
    assert names.explain("http://h0.example/", typed)


@pytest.mark.requirement(296)
def test_a_minus_leaves_out_beside_a_word_that_is_wanted(names: SearchService) -> None:
    """So an option beside others is put into quotation marks."""
    assert [hit.title for hit in names.search("gcc -Wall").hits] == ["gcc"]
