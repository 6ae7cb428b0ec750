"""Labels of sites: what crawl.toml may say, and hits counted and chosen by them."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from engine.config import EXAMPLE
from engine.errors import EngineError
from engine.index.indexing.follow import Follower
from engine.index.searching.labels import MAX_LABELS, MAX_NAME, Labels, add_labels, parse_label, read_labels
from engine.model.narrowing import FacetCount, SearchFilters
from engine.search.search import SearchService
from tests.engine.config.test_load import read
from tests.engine.index.source import Memory, page

URLS = {
    "guide": "https://docs.example.org/guide/one",
    "blog": "https://docs.example.org/blog/one",
    "plain": "http://docs.example.org/guide/two",
    "below": "https://a.shop.example/",
    "port": "http://b.example:81/",
    "gone": "https://docs.example.org/guide/gone",
}


def written(folder: Path, text: str) -> Labels:
    return read_labels(read(folder, text).labels)


def label(name: str, *sites: str) -> str:
    return f"[[label]]\nname = '{name}'\nsites = {list(sites)}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    memory = Memory(*(page(url, "amber") for url in URLS.values()))
    Follower(memory, folder).catch_up()
    memory.remove(URLS["gone"])
    Follower(memory, folder).catch_up()
    return folder


LABELLED = [
    (["docs.example.org"], "guide blog plain", "a host, with http and https"),
    (["example"], "below port", "and all below it"),
    (["https://docs.example.org"], "guide blog", "with a scheme that host alone"),
    (["docs.example.org/guide/"], "guide plain", "how addresses begin"),
    (["docs.example.org/guide/", "b.example:81"], "guide plain port", "several of either kind"),
    (
        ["docs.example.org", "docs.example.org/guide/"],
        "guide blog plain",
        "what is in two of them counts once",
    ),
    (["elsewhere.example"], "", "where nothing was found, the label is not offered"),
]


@pytest.mark.parametrize(("sites", "expected", "why"), LABELLED)
def test_as_many_as_are_counted_are_left(
    folder: Path, tmp_path: Path, sites: list[str], expected: str, why: str
) -> None:
    """The index is that of before the label was written."""
    names = {url: name for name, url in URLS.items()}
    with closing(SearchService(folder, labels=written(tmp_path, label("Ours", *sites)))) as search:
        facets = search.search("amber", choice=SearchFilters(with_facets=True)).facets
        left = search.search("amber", choice=SearchFilters(label="Ours"))
    assert facets
    found = expected.split()
    assert list(facets.counts["label"]) == ([FacetCount("Ours", len(found))] if found else []), why
    assert sorted(names[hit.url] for hit in left.hits) == sorted(found), why
    assert left.total == len(found), why


def test_a_page_may_have_several_and_choices_are_put_together(folder: Path, tmp_path: Path) -> None:
    text = label("All", "example.org", "example") + label("Guides", "docs.example.org/guide")
    with closing(SearchService(folder, labels=written(tmp_path, text))) as search:
        facets = search.search("amber", choice=SearchFilters(with_facets=True)).facets
        both = search.search(
            "amber", choice=SearchFilters(label="All", host="docs.example.org", with_facets=True)
        )
        unknown = search.search("amber", choice=SearchFilters(label="Gone since"))
    assert facets
    assert list(facets.counts["label"]) == [("All", 5), ("Guides", 2)]
    assert both.total == 3
    assert both.facets
    assert list(both.facets.counts["label"]) == [("All", 3), ("Guides", 2)]
    assert unknown.total == 0, "an address from before crawl.toml was changed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[label]\nname = 'a'", "line 1: label: write [[label]] above"),
        ("[[label]]\nsites = ['a.example']", "name: a label has 1 to 60 letters"),
        (label("\u202eabc", "a.example"), "line 2: name: a label has 1 to 60 letters"),
        (label((MAX_NAME + 1) * "a", "a.example"), "line 2: name: a label has 1 to 60 letters"),
        ("[[label]]\nname = 'a'", "sites: a [[label]] needs sites = "),
        (label("a", "a b"), "line 3: sites: 'a b': no host, and no address"),
        (label("a", "a.example", ""), "line 3: sites: '': no host"),
        (
            label("a", "a.example") + label(" a ", "b.example"),
            "line 5: name: 'a' is in an earlier [[label]]",
        ),
        (label("a", "a.example") + "seeds = []", "line 4: seeds is unknown; write one of name, sites"),
        (
            "".join(label(f"a{n}", "a.example") for n in range(MAX_LABELS + 1)),
            "line 152: name: write 50 [[label]]",
        ),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(EngineError) as raised:
        written(tmp_path, text)
    assert says in str(raised.value)


@pytest.mark.parametrize("name", ["Python  manuals", "Instrukcje", "文档", "کتاب\u200cها"])
def test_a_label_is_a_word_of_any_language(tmp_path: Path, name: str) -> None:
    assert list(written(tmp_path, label(name, "a.example"))) == [" ".join(name.split())]


LINES = [
    ("Manuals\tdocs.example.org", "Manuals", "a host"),
    (" Manuals \t docs.example.org/guide ", "Manuals", "spaces around them"),
]


@pytest.mark.parametrize(("line", "name", "why"), LINES)
def test_a_line_of_the_file(line: str, name: str, why: str) -> None:
    found, queries = parse_label(line)
    assert (found, bool(queries)) == (name, True), why


@pytest.mark.parametrize(
    ("line", "why"),
    [("Manuals", "no site"), ("\ta.example", "no name"), ("M\ta b", "no host"), ("M\ta.example\t", "none")],
)
def test_a_line_that_cannot_be_meant(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"a label of 1 to 60|sites with tabs"):
        parse_label(line)


def test_labels_of_both_are_put_together(tmp_path: Path) -> None:
    labels = written(tmp_path, label("a", "a.example") + label("b", "b.example"))
    many = [parse_label(f"n{number}\ta.example") for number in range(MAX_LABELS)]
    lines = [parse_label("a\tb.example\tc.example"), *many, parse_label("b\tc.example")]
    found = add_labels(labels, lines).queries
    assert [*found][:3] == ["a", "b", "n0"]
    assert len(found) == MAX_LABELS
    assert (len(found["a"]), len(found["b"])) == (len(labels["a"]) * 3, len(labels["b"]) * 2)


def test_the_example_says_how_it_is_written(tmp_path: Path) -> None:
    commented = EXAMPLE.read_text(encoding="utf-8").partition("# [[label]]\n")[2].partition("\n\n")[0]
    text = "[[label]]\n" + re.sub(r"(?m)^# ", "", commented)
    assert {name: len(queries) for name, queries in written(tmp_path, text).items()} == {"Manuals": 3}
