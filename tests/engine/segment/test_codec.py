"""Whoosh searches and reads the folder as it does one that it has written itself."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from whoosh import fields

from engine.segment import folder
from engine.segment.build import build_segment
from engine.segment.codec import ArraySegment
from tests.engine.segment.plain import Document, made_of, some_documents

SIZES = [60, 3, 90]  # documents of each segment
GONE = (0, 3, 4, 150, 99)
whoosh_index, qparser, query, spans, analysis = (  # as modules without types
    import_module(f"whoosh.{name}") for name in ("index", "qparser", "query", "query.spans", "analysis")
)
TEXT: Any = fields.TEXT
EXACT = 10  # words: the lengths of longer texts are rounded by Whoosh
ANALYZER = analysis.SpaceSeparatedTokenizer()
SCHEMA = fields.Schema(
    title=TEXT(ANALYZER),
    body=TEXT(ANALYZER),
    rest=TEXT(ANALYZER, phrase=False),
    url=fields.ID,
    lang=fields.ID,
    mark=fields.STORED,
)


class Both(NamedTuple):
    """Searchers of the same documents."""

    ours: Any
    whooshs: Any


def by_whoosh(path: Path, parts: Sequence[Sequence[Document]]) -> None:
    """Each part in a segment of Whoosh's own."""
    index = whoosh_index.create_in(path, SCHEMA)
    for part in parts:
        writer = index.writer()
        for document in part:
            texts = {name: " ".join(word for word, _ in words) for name, words in document.texts.items()}
            keys = {name: keys[0] for name, keys in document.keys.items()}
            writer.add_document(
                mark=document.mark, **keys, **{name: said for name, said in texts.items() if said}
            )
        writer.commit(merge=False)
    writer = index.writer()
    for number in GONE:
        writer.delete_document(number)
    writer.commit(merge=False)


def by_us(path: Path, parts: Sequence[Sequence[Document]]) -> None:
    """Each part in a segment of ours."""
    folder.create(path, SCHEMA)
    segments, first = [], 0
    for part in parts:
        gone = [number - first for number in GONE if first <= number < first + len(part)]
        segment = ArraySegment(folder.NAME, len(part), deleted=1 if gone else 0, gone=len(gone))
        build_segment(path / segment.file("arrays"), *made_of(part))
        if gone:
            bits = np.packbits(np.isin(np.arange(len(part)), gone))
            folder.write_array_file(path, segment.file("deleted"), "deleted", bits)
        segments.append(segment)
        first += len(part)
    folder.commit(path, SCHEMA, segments)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    documents = some_documents(8, sum(SIZES), EXACT + 1)
    ends = np.cumsum(SIZES).tolist()
    parts = [documents[end - size : end] for size, end in zip(SIZES, ends, strict=True)]
    paths = [tmp_path_factory.mktemp(name) for name in ("ours", "whooshs")]
    by_us(paths[0], parts)
    by_whoosh(paths[1], parts)
    ours, whooshs = (whoosh_index.open_dir(path) for path in paths)
    with ours.searcher() as one, whooshs.searcher() as other:
        yield Both(one, other)


def parsed(text: str) -> Any:
    """In Whoosh's language, fuzzy words and sequences with a slop included."""
    parser = qparser.QueryParser("body", SCHEMA)
    parser.add_plugin(qparser.FuzzyTermPlugin())
    parser.remove_plugin_class(qparser.PhrasePlugin)
    parser.add_plugin(qparser.SequencePlugin())
    parser.add_plugin(qparser.GtLtPlugin())
    parser.add_plugin(qparser.PlusMinusPlugin())
    return parser.parse(text)


QUERIES: list[tuple[Any, str]] = [
    ("w1", "a common word"),
    ("w17", "a rare word"),
    ("nothing", "a word that nobody said"),
    ("w1 w2", "and"),
    ("w1 w2 w3", "and of three"),
    ("w4 OR w9 OR w30", "or"),
    ("w4 OR nothing", "or with an absent one"),
    ("w1 NOT w2", "not"),
    ("NOT w1", "only not"),
    ("w2 ANDMAYBE w5", "and maybe"),
    ("w2 REQUIRE lang:de", "required, not scored"),
    ("w2 ANDNOT w3", "and not"),
    ("+w2 w7 -w5", "plus and minus"),
    ('"w1 w1"', "a phrase of a word twice"),
    ('"w1 w2"', "a phrase"),
    ('"w1 w2 w1"', "a phrase of three"),
    ('title:"w1 w1"', "a phrase in another field"),
    ('"w3 w2"~3', "a phrase with a slop"),
    (query.Phrase("body", ["w4", "w1"], slop=4), "a phrase as a tree"),
    ("w1*", "a prefix"),
    ("w?2", "a wildcard"),
    ("*1", "a wildcard with all terms to be tried"),
    ("w4~", "fuzzy"),
    ("w11~2/1", "fuzzy by two, the first letter as it is"),
    ("[w10 TO w2]", "a range"),
    ("{w10 TO w19}", "a range without its ends"),
    ("url:[http://8/1 TO]", "a range without an end"),
    ("body:>w3", "a range by sign"),
    ("*", "every document"),
    ("title:*", "every document with a field"),
    ("rest:*", "every document with a field of counts"),
    (query.Every("lang"), "every document with a key"),
    ("title:w1", "a field"),
    ("rest:w2", "a field without positions"),
    ("title:w1 OR body:w1 OR rest:w1", "one word in each field"),
    ("lang:de", "a key"),
    ("lang:de w5", "a key and a word"),
    ("url:http://8/30", "one document"),
    ("w1^3 OR w2", "a boost"),
    ("title:w2^0.5 w1", "a boost below one"),
    (query.DisjunctionMax([query.Term("body", "w2"), query.Term("title", "w2")]), "the larger score"),
    (query.Regex("body", "w[23]+$"), "a regular expression"),
    (query.Variations("body", "w1"), "variations"),
    (spans.SpanFirst(query.Term("body", "w3"), limit=2), "among the first words"),
    (spans.SpanNear(query.Term("body", "w2"), query.Term("body", "w5"), slop=3, ordered=False), "near"),
    (spans.SpanNot(query.Term("body", "w2"), query.Term("body", "w3")), "spans without others"),
    (spans.SpanBefore(query.Term("body", "w2"), query.Term("body", "w7")), "before another"),
    (query.Ordered([query.Term("body", "w3"), query.Term("body", "w6")]), "in this order"),
]


@pytest.mark.requirement(291)
@pytest.mark.parametrize(("asked", "why"), QUERIES, ids=[why for _, why in QUERIES])
def test_queries(both: Both, asked: Any, why: str) -> None:
    """The same documents with the same scores, all of them and the best few."""
    tree = parsed(asked) if isinstance(asked, str) else asked
    found = [{hit["mark"]: hit.score for hit in each.search(tree, limit=None)} for each in both]
    assert found[0] == pytest.approx(found[1], rel=1e-6)
    assert len(found[0]) > 0 or "nothing" in str(asked)
    limit = None if "REQUIRE" in str(asked) else 5  # with a limit, Whoosh's require fails over any codec
    best = both.ours.search(tree, limit=limit)
    assert [hit.score for hit in best] == pytest.approx(
        sorted(found[1].values(), reverse=True)[:limit], rel=1e-6
    )


def everything(reader: Any, field: str) -> list[Any]:
    """All postings of a field."""
    return [
        (text, matcher.id(), matcher.weight(), matcher.value_as("frequency"))
        for text in reader.lexicon(field)
        for matcher in _walked(reader.postings(field, text))
    ]


def _walked(matcher: Any) -> Iterator[Any]:
    while matcher.is_active():
        yield matcher
        matcher.next()


def sums(info: Any) -> list[Any]:
    """What is known of a term."""
    return [
        info.weight(),
        info.doc_frequency(),
        info.min_id(),
        info.max_id(),
        info.min_length(),
        info.max_weight(),
    ]


READ: list[tuple[str, Callable[[Any], Any]]] = [
    ("all terms", lambda reader: sorted(reader.all_terms())),
    ("terms from one on", lambda reader: list(reader.terms_from("body", "w3"))),
    ("terms that begin so", lambda reader: list(reader.expand_prefix("body", "w2"))),
    ("the terms of texts", lambda reader: [list(reader.lexicon(name)) for name in ("title", "body", "rest")]),
    ("the terms of a key", lambda reader: list(reader.field_terms("lang"))),
    ("names of fields", lambda reader: sorted(reader.indexed_field_names())),
    (
        "whether there is a term",
        lambda reader: [("body", "w1") in reader, ("body", "x") in reader, ("x", "w1") in reader],
    ),
    ("in how many documents", lambda reader: [reader.doc_frequency("body", f"w{at}") for at in range(40)]),
    ("how often", lambda reader: [reader.frequency("body", f"w{at}") for at in range(40)]),
    (
        "what is known of a term",
        lambda reader: [sums(reader.term_info("body", f"w{at}")) for at in (1, 2, 9)],
    ),
    ("what is known of a key", lambda reader: sums(reader.term_info("lang", "en"))[:4]),
    ("postings of a text", lambda reader: everything(reader, "body")),
    ("postings of counts", lambda reader: everything(reader, "rest")),
    ("postings of keys", lambda reader: [each[:2] for each in everything(reader, "url")]),
    ("positions", lambda reader: list(reader.postings("body", "w1").items_as("positions"))),
    ("as bytes", lambda reader: [matcher.value() for matcher in _walked(reader.postings("rest", "w1"))]),
    (
        "lengths together",
        lambda reader: [reader.field_length(name) for name in ("title", "body", "rest", "x")],
    ),
    ("the shortest", lambda reader: reader.min_field_length("body")),
    ("the longest", lambda reader: reader.max_field_length("body")),
    ("each length", lambda reader: [reader.doc_field_length(at, "body") or 0 for at in range(sum(SIZES))]),
    ("documents", lambda reader: [reader.doc_count(), reader.doc_count_all(), reader.has_deletions()]),
    ("deletions", lambda reader: [reader.is_deleted(at) for at in range(sum(SIZES))]),
    ("those left", lambda reader: list(reader.all_doc_ids())),
    ("stored fields", lambda reader: [fields["mark"] for fields in reader.all_stored_fields()]),
    ("the first document of a term", lambda reader: reader.first_id("body", "w9")),
    ("distinctive terms", lambda reader: reader.most_distinctive_terms("body", 5)),
    ("frequent terms", lambda reader: reader.most_frequent_terms("body", 3)),
    ("words like one", lambda reader: reader.corrector("body").suggest("w1x", limit=3)),
]


@pytest.mark.parametrize(("why", "read"), READ, ids=[why for why, _ in READ])
def test_what_a_reader_tells(both: Both, why: str, read: Callable[[Any], Any]) -> None:
    ours, whooshs = (read(searcher.reader()) for searcher in both)
    assert ours == whooshs


def test_hits_in_the_order_of_a_key_and_by_it(both: Both) -> None:
    """Facets are read from the terms of a field."""
    tree = query.Term("body", "w2")
    for said in ({"sortedby": "url"}, {"sortedby": "url", "reverse": True}, {"sortedby": ["lang", "url"]}):
        ours, whooshs = ([hit["mark"] for hit in each.search(tree, limit=None, **said)] for each in both)
        assert ours == whooshs
    groups = [each.search(tree, limit=None, groupedby="lang").groups("lang") for each in both]
    of_ours, of_whooshs = ({name: sorted(those) for name, those in each.items()} for each in groups)
    assert of_ours == of_whooshs


@pytest.mark.requirement(290)
def test_an_open_searcher_goes_on_when_its_files_are_gone(tmp_path: Path) -> None:
    """Whoever searches is not disturbed by commits."""
    documents = some_documents(8, 20)
    by_us(tmp_path, [documents[:10], documents[10:]])
    with whoosh_index.open_dir(tmp_path).searcher() as searcher:
        tree = query.Term("body", "w1")
        before = [hit["mark"] for hit in searcher.search(tree, limit=None)]
        folder.commit(tmp_path, SCHEMA, ())
        folder.commit(tmp_path, SCHEMA, ())
        assert sorted(path.suffix for path in tmp_path.iterdir()) == ["", ".toc", ".toc"]
        assert [hit["mark"] for hit in searcher.search(tree, limit=None)] == before
        assert not searcher.up_to_date()
    assert whoosh_index.open_dir(tmp_path).doc_count() == 0
