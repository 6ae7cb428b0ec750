"""A collection's files: what is read from them, and what is wrong with them in one sentence."""

import gzip
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.relevance.collection import MAX_QUERIES, load_collection, page_of, select_queries, url_of

FILES = {
    "docs.jsonl": '{"id": "1", "title": "Ash", "text": "Tree"}\n{"id": 2, "text": "Bark", "author": "Ann"}\n',
    "queries.tsv": "1\tash tree\n2\tnothing\n3\tbark\n",
    "qrels.tsv": "1\t1\t1\n2\t1\t0\n3\t2\t2\n3\t1\t-1\n",
    "links.tsv": "1\t2\tits bark\n1\tgone\tno document\ngone\t1\tof no document\n2\t1\n",
}


def written(folder: Path, *compressed: str, **changed: str) -> Path:
    """A collection in a folder; `changed` by name without ending."""
    for name, text in FILES.items():
        content = changed.get(name.partition(".")[0], text).encode("utf-8", "surrogateescape")
        if name in compressed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(content))
        else:
            (folder / name).write_bytes(content)
    return folder


def test_queries_that_nothing_is_relevant_to_do_not_count(tmp_path: Path) -> None:
    collection = load_collection(written(tmp_path))
    assert collection.queries == {"1": "ash tree", "3": "bark"}
    assert collection.grades["3"] == {"2": 2, "1": -1}


def test_compressed_files_say_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.mkdir()
    packed.mkdir()
    assert load_collection(written(plain)) == load_collection(written(packed, *FILES))


@pytest.mark.requirement(300)
def test_links_between_documents_are_those_of_pages(tmp_path: Path) -> None:
    """Inlinks weigh here as in a crawl."""
    pages = load_collection(written(tmp_path)).pages
    assert [(link.url, link.anchor) for link in pages["1"].links] == [(pages["2"].url, "its bark")]
    assert [(link.url, link.anchor) for link in pages["2"].links] == [(pages["1"].url, "")]


def test_links_may_be_missing(tmp_path: Path) -> None:
    written(tmp_path).joinpath("links.tsv").unlink()
    assert not any(page.links for page in load_collection(tmp_path).pages.values())


@pytest.mark.parametrize(
    ("ids", "order", "why"),
    [
        (["10", "9", "1"], ["1", "9", "10"], "numbers go by their value"),
        (["10", "9", "i1"], ["10", "9", "i1"], "one that is no number makes all of them text"),
        (
            [str(number) for number in range(5_000, 0, -1)],
            [str(n) for n in range(1, MAX_QUERIES + 1)],
            "so many",
        ),
    ],
    ids=["numbers", "text", "many"],
)
def test_the_first_queries_by_id(ids: list[str], order: list[str], why: str) -> None:
    assert select_queries(dict.fromkeys(ids)) == order, why


@pytest.mark.requirement(13)
def test_a_document_as_a_page() -> None:
    """Every field that a page has has its place; what is left is furniture."""
    text = "The leaves of this tree are eaten by the deer, and that is why it grows so slowly with age."
    fields = {"title": "T", "text": text, "headings": "One | Two", "description": "D", "keywords": "K"}
    page = page_of({"id": "1", **fields, "author": "Ann Other", "bib": "1958"})
    assert (page.title, page.description, page.keywords, page.language) == ("T", "D", "K", "en")
    assert [(section.heading, section.text) for section in page.sections] == [
        ("", text),
        ("One", ""),
        ("Two", ""),
    ]
    assert page.rest == "Ann Other\n1958"


def test_a_document_may_say_its_language() -> None:
    assert page_of({"id": "1", "text": "Word", "language": "pl-PL"}).language == "pl"
    assert page_of({"id": "1", "title": "Это название одной хорошей русской книги"}).language == "ru"


@pytest.mark.parametrize(
    ("document", "url", "why"),
    [
        ({"id": "a/1"}, "http://evaluate.invalid/#a%2F1", "an id is no path: its words must not count"),
        ({"id": "é?"}, "http://evaluate.invalid/#%C3%A9%3F", "any character may stand in an id"),
        (
            {"id": "1", "url": "/lib/os.html"},
            "http://evaluate.invalid/lib/os.html#1",
            "a path of a site is one",
        ),
        ({"id": "1", "url": "https://H.example"}, "https://h.example/#1", "a whole URL, by its one spelling"),
    ],
)
def test_urls(document: dict[str, str], url: str, why: str) -> None:
    assert url_of(document) == url, why


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"docs": '{"id": "1"}\n\n{"id"\n'}, "docs.jsonl, line 3: no JSON object"),
        ({"docs": "[1]"}, "docs.jsonl, line 1: write an object with an id"),
        ({"docs": '{"id": null}'}, "docs.jsonl, line 1: write an object with an id"),
        ({"docs": "[" * 100_000}, "docs.jsonl, line 1: no JSON object"),
        ({"docs": '{"id": "1", "url": "http://["}'}, "docs.jsonl, line 1: write a url that can be used"),
        ({"docs": '{"id": "\udcff"}'}, "docs.jsonl, after line 0: write it in UTF-8"),
        ({"queries": "1 no tab"}, "queries.tsv, line 1: write a query id, a tab, and the query"),
        ({"qrels": "1\t1\t1\n1\t2"}, "qrels.tsv, line 2: write a query id, a document id and a whole number"),
        ({"qrels": "1\t1\tgood"}, "qrels.tsv, line 1: write a query id, a document id and a whole number"),
        ({"qrels": "9\t1\t1"}, "has a relevant document: qrels.tsv goes by ids of queries.tsv"),
        ({"links": "1 2"}, "links.tsv, line 1: write two document ids"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong(tmp_path: Path, changed: dict[str, str], says: str) -> None:
    with pytest.raises(EngineError, match=r"^[^\n]+$") as wrong:
        load_collection(written(tmp_path, **changed))
    assert says in str(wrong.value)


@pytest.mark.parametrize("name", ["docs.jsonl", "queries.tsv", "qrels.tsv"])
def test_a_file_that_is_missing(tmp_path: Path, name: str) -> None:
    written(tmp_path).joinpath(name).unlink()
    with pytest.raises(EngineError, match=f"{name} is missing"):
        load_collection(tmp_path)


@pytest.mark.parametrize(
    "damaged",
    [b"no gzip", gzip.compress(b"1\ta\n" * 999)[:-9], gzip.compress(b"a")[:-8]],
    ids=["another file", "cut in the middle", "without its checksum"],
)
def test_a_compressed_file_that_is_damaged(tmp_path: Path, damaged: bytes) -> None:
    written(tmp_path, "queries.tsv").joinpath("queries.tsv.gz").write_bytes(damaged)
    with pytest.raises(EngineError, match="the compressed file is damaged"):
        load_collection(tmp_path)


def test_half_a_surrogate_pair_is_a_character_that_nobody_can_read(tmp_path: Path) -> None:
    assert (
        load_collection(written(tmp_path, docs='{"id": "1", "text": "a \\ud800"}')).pages["1"].text == "a ?"
    )
