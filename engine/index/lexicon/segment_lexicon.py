"""Looks up words and names in the segments of a reader."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial

from engine.index.lexicon.lexicon import NameCandidate, PageKey
from engine.index.lexicon.segment_names import find_linked, find_segment_names
from engine.index.lexicon.title_suffix import SAMPLE, TitleSuffix, learn_suffix
from engine.index.lexicon.vocabulary import read_vocabulary
from engine.index.reader import LRUCache, Member, Reader
from engine.index.schema import FORMS
from engine.index.stored_pages import StoredPage, unpack_page


class SegmentLexicon:
    """The lexicon of a reader. What is learned of a segment is kept for as long as that is there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.cache: LRUCache = reader.cache
        self.contents: Hashable = tuple([member.name for member in reader.members])

    def find_names(self, beginning: str) -> Sequence[NameCandidate]:
        """Finds names of pages of which a word begins so, the best of each segment among them."""
        reader = self._reader
        return [
            name
            for member in reader.members
            for name in find_segment_names(member, reader.votes_in(member), beginning)
        ]

    def find_suffixes(self, hosts: Iterable[str]) -> Mapping[str, TitleSuffix]:
        """Finds the common ending of the titles of each host, as the segment with most of its pages has it:
        2 ms, once for a segment.
        """
        return {host: self._find_suffix(host) for host in hosts}

    def read_pages(self, keys: Collection[PageKey]) -> Mapping[PageKey, StoredPage]:
        """Reads the pages that candidates are names of."""
        bases = {member.name: member.base for member in self._reader.members}
        return {(name, place): self._reader.page(bases[name] + int(place)) for name, place in keys}

    def find_pages(self, urls: Collection[str]) -> Mapping[str, StoredPage]:
        """Finds those of the pages that are there, by URL."""
        found = {url: self._reader.documents_with_term("url", url).tolist() for url in urls}
        return {url: self._reader.page(documents[0]) for url, documents in found.items() if documents}

    def find_similar(self, form: str, edits: int) -> Counter[str]:
        """Finds forms at most so many edits from this one, in the vocabularies of the segments."""
        near: Counter[str] = Counter()
        for member in self._reader.members:
            words = self.cache.get((member.name, "vocabulary"), partial(read_vocabulary, member.leaf))
            for other, (_, count) in words.find_similar(form, edits).items():
                near[other] += count
        return near

    def count_forms(self, forms: Sequence[str]) -> Sequence[int]:
        """Counts the documents that have each of the forms."""
        return [len(self._reader.documents_with_term(FORMS, form)) for form in forms]

    def is_called(self, url: str, name: str) -> bool:
        """Tells whether most links to a page say no more than this name."""
        documents = self._reader.documents_with_term("url", url)
        return any(
            document in find_linked(one, name) for one in self._reader.members for document in documents
        )

    def _find_suffix(self, host: str) -> TitleSuffix:
        member = max(self._reader.members, key=lambda one: _count_pages(one, host))
        return self.cache.get((member.name, "tail", host), lambda: learn_suffix(_sample_titles(member, host)))


def _count_pages(member: Member, host: str) -> int:
    number = member.leaf.number("host", host)
    return int(member.leaf.dictionary.counts(number, number + 1)[0]) if number >= 0 else 0


def _sample_titles(member: Member, host: str) -> Sequence[str]:
    """Samples titles of a segment, of deleted pages, too: the same for as long as the segment is there."""
    leaf = member.leaf
    number = leaf.number("host", host)
    pages = leaf.postings_of_terms(range(number, number + (number >= 0)))[0].documents
    some = pages[:: max(len(pages) // SAMPLE, 1)][:SAMPLE].tolist()
    return [unpack_page(leaf.stored(page)).title for page in some]
