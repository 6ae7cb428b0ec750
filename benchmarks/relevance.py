"""Measures relevance: nDCG@10 on judged collections beside Tantivy, which gets each collection's language."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import tantivy

from benchmarks.instruments.row import Row, rate_row, report_progress
from engine.errors import EngineError
from engine.ranking import Ranking
from engine.relevance.collection import Collection, load_collection
from engine.relevance.evaluation import index_collection, measure_collection
from engine.relevance.measures import NDCG_DEPTH, ndcg
from engine.text.analysis.stemming import STEMMERS

FIELDS = ["title", "headings", "body"]
HEAP = 50_000_000  # bytes
ANALYZER = "of_the_language"
SPACELESS = frozenset(["ja", "lo", "km", "my", "th", "zh"])  # cut in pairs of letters


def rows(folder: Path | None) -> Iterator[Row]:
    """A row for each folder below that holds a collection. Raises EngineError when there is none."""
    found = sorted({path.parent for path in folder.rglob("docs.jsonl*")}) if folder else []
    if not folder or not found:
        raise EngineError("there are no judged collections: name a folder of them with --collections")
    for path in found:
        name = path.relative_to(folder).as_posix()
        report_progress(f"indexing {name}")
        collection = load_collection(path)
        yield rate_row(f"relevance.{name}", _ours(collection), "tantivy", _tantivys(collection))


def _ours(collection: Collection) -> float:
    with TemporaryDirectory() as folder:
        generation = index_collection(collection, Path(folder), lambda done, total: None)
        return measure_collection(collection, generation, Ranking()).ndcg


def _tantivys(collection: Collection) -> float:
    """Its BM25 over the same fields, any term enough; its parser would make phrases of pairs of letters."""
    analyzer = _analyzer(collection)
    built = _built(collection, analyzer)
    searcher = built.searcher()
    total = 0.0
    for query, typed in collection.queries.items():
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(built.schema, field, term))
            for term in analyzer.analyze(typed)
            for field in FIELDS
        ]
        hits = searcher.search(tantivy.Query.boolean_query(terms), NDCG_DEPTH).hits
        ranked = [searcher.doc(address)["id"][0] for _, address in hits]
        total += ndcg(ranked, collection.grades[query])
    return total / len(collection.queries)


def _built(collection: Collection, analyzer: tantivy.TextAnalyzer) -> tantivy.Index:
    schema = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
    for field in FIELDS:
        schema = schema.add_text_field(field, tokenizer_name=ANALYZER)
    built = tantivy.Index(schema.build())
    built.register_tokenizer(ANALYZER, analyzer)
    writer = built.writer(HEAP, num_threads=1)
    for name, page in collection.pages.items():
        headings = "\n".join(section.heading for section in page.sections)
        body = "\n".join(section.text for section in page.sections)
        writer.add_document(tantivy.Document(id=name, title=page.title, headings=headings, body=body))
    writer.commit()
    writer.wait_merging_threads()
    built.reload()
    return built


def _analyzer(collection: Collection) -> tantivy.TextAnalyzer:
    """What its manual offers for the language that most of the documents are in."""
    language = Counter(page.language for page in collection.pages.values()).most_common(1)[0][0]
    if language in SPACELESS:
        return _lowered(tantivy.Tokenizer.ngram(2, 2, False)).build()
    try:
        stemmed = _lowered(tantivy.Tokenizer.simple()).filter(tantivy.Filter.stemmer(STEMMERS[language]))
        return stemmed.build()
    except (KeyError, ValueError):  # it has no stemmer for Polish, Persian, Hindi
        return _lowered(tantivy.Tokenizer.simple()).build()


def _lowered(tokenizer: tantivy.Tokenizer) -> tantivy.TextAnalyzerBuilder:
    return tantivy.TextAnalyzerBuilder(tokenizer).filter(tantivy.Filter.lowercase())
