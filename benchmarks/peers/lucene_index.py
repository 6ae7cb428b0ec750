"""Lucene, in this process's own Java virtual machine: its English analyzer and one thread.

Its jars are those of the OpenSearch server that the tests start (`make opensearch-server`). A call from
Python to Java takes some microseconds, which are a part of its times.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jpype

from benchmarks.peers.contest import LUCENE_JARS, TOP, BenchmarkQuery, StoredFields, pages

if TYPE_CHECKING:  # as in benchmarks.peers.contest
    from engine.store.page_store import Store

FIELDS = ["title", "headings", "body"]
BUFFER = 200.0  # megabytes of new documents in memory, as Tantivy has
HEAP = "-Xmx1g"
STORED = (".fdt", ".fdm", ".fdx")  # how the names of files end that hold stored fields


class LuceneIndex:
    """A searcher over one index."""

    def __init__(self, folder: Path) -> None:
        self._lucene = _start()
        self._reader = self._lucene.index.DirectoryReader.open(_directory(folder))
        self._searcher = self._lucene.search.IndexSearcher(self._reader)
        parser = jpype.JClass("org.apache.lucene.queryparser.classic.MultiFieldQueryParser")
        self._parsers = {kind: parser(FIELDS, _analyzer()) for kind in ("or", "and", "phrase")}
        self._parsers["and"].setDefaultOperator(parser.Operator.AND)

    def parse(self, asked: BenchmarkQuery) -> Any:
        """Lucene's classic query language: each word in each of the fields."""
        words = " ".join(asked.words)
        return self._parsers[asked.kind].parse(f'"{words}"' if asked.kind == "phrase" else words)

    def find(self, parsed: Any) -> Sequence[Any]:
        """The first hits; it counts a thousand, and may then skip what cannot be among them."""
        hits: Sequence[Any] = self._searcher.search(parsed, TOP).scoreDocs
        return hits

    def kept(self, found: Sequence[Any]) -> list[StoredFields]:
        """Lucene unpacks all stored fields of a hit at once."""
        stored = self._searcher.storedFields()
        documents = [stored.document(hit.doc) for hit in found]
        return [StoredFields(*(str(one.get(name)) for name in ("url", "title", "body"))) for one in documents]

    def close(self) -> None:
        """Closes its files."""
        self._reader.close()


def build(store: "Store", folder: Path) -> None:
    """One commit."""
    lucene = _start()
    document, keep = lucene.document, lucene.document.Field.Store.YES
    config = lucene.index.IndexWriterConfig(_analyzer()).setRAMBufferSizeMB(BUFFER)
    # Of a compound file nobody could tell what is stored fields.
    config.setUseCompoundFile(False).getMergePolicy().setNoCFSRatio(0.0)
    writer = lucene.index.IndexWriter(_directory(folder), config)
    for page in pages(store):
        headings = "\n".join(section.heading for section in page.sections)
        body = "\n".join(section.text for section in page.sections)
        one = document.Document()
        one.add(document.StringField("url", page.url, keep))
        for name, text in zip(FIELDS, (page.title, headings, body), strict=True):
            one.add(document.TextField(name, text, keep))
        writer.addDocument(one)
    writer.commit()
    writer.close()


def open_index(folder: Path) -> LuceneIndex:
    """Open what build() made."""
    return LuceneIndex(folder)


def text_bytes(folder: Path) -> int:
    """The files of stored fields."""
    return sum(path.stat().st_size for path in folder.iterdir() if path.suffix in STORED)


def _start() -> Any:
    """Starts the virtual machine, once in a process; returns Lucene's package."""
    if not jpype.isJVMStarted():
        jars = [str(jar) for jar in LUCENE_JARS.glob("lucene-*.jar")]
        jpype.startJVM(HEAP, "--enable-native-access=ALL-UNNAMED", classpath=jars, convertStrings=False)
    return jpype.JPackage("org.apache.lucene")


def _analyzer() -> Any:
    """English stems, and every word counts, as with the others."""
    lucene = jpype.JPackage("org.apache.lucene")
    return lucene.analysis.en.EnglishAnalyzer(lucene.analysis.CharArraySet.EMPTY_SET)


def _directory(folder: Path) -> Any:
    return jpype.JPackage("org.apache.lucene").store.FSDirectory.open(
        jpype.JClass("java.nio.file.Path").of(str(folder))
    )
