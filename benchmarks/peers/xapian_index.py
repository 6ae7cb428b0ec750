"""Xapian, a native engine, as its "Getting Started" has it: English stems, BM25, titles with the text."""

from collections.abc import Iterable
from pathlib import Path

import xapian

from engine.model.page import Page

URL = 0  # the value slot


def build(pages: Iterable[Page], folder: Path) -> None:
    """Index the pages."""
    database = xapian.WritableDatabase(str(folder), xapian.DB_CREATE_OR_OVERWRITE)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("en"))
    for page in pages:
        document = xapian.Document()
        generator.set_document(document)
        generator.index_text(page.title)
        for section in page.sections:
            generator.increase_termpos()
            generator.index_text(section.heading)
            generator.increase_termpos()
            generator.index_text(section.text)
        document.add_value(URL, page.url)
        database.add_document(document)
    database.commit()
    database.close()


class XapianIndex:
    """A searcher over one index."""

    def __init__(self, folder: Path) -> None:
        self._database = xapian.Database(str(folder))
        self._parser = xapian.QueryParser()
        self._parser.set_stemmer(xapian.Stem("en"))
        self._parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)

    def urls(self, words: str, count: int) -> list[str]:
        """The URLs of the first hits: any of the words is enough, as it is by default."""
        enquire = xapian.Enquire(self._database)
        enquire.set_query(self._parser.parse_query(words))
        return [match.document.get_value(URL).decode() for match in enquire.get_mset(0, count)]
