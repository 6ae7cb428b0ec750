"""Reads segments side by side, their documents numbered through.

A document's number runs over all segments, deleted documents included. Segments never change, so what
was learned of one is kept while commits come and go; only deletions, votes and bases are a commit's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.index.reader.cache import IndexCache
from engine.index.reader.leaf import Member
from engine.index.reader.posting_lists import Documents, Scores
from engine.index.schema import TEXT_FIELDS
from engine.index.stored_pages import StoredPage, unpack_page
from engine.segment import Totals
from engine.url import authority_of


class Reader:
    """Segments that are read together, with the votes of each of their documents."""

    def __init__(self, members: Sequence[Member], votes: Scores, cache: IndexCache) -> None:
        self.members, self.cache, self._votes = members, cache, votes
        self.size = len(votes)
        self.edges = np.array([*(one.base for one in members), self.size], np.int32)  # of the segments

    @cached_property
    def documents(self) -> int:
        """Counts the documents, without deleted ones."""
        return self.size - sum(len(member.deleted) for member in self.members)

    def split_by_segment(self, documents: Documents) -> Iterator[tuple[int, Member, slice, Documents]]:
        """Splits documents (ascending) by segment: its number, which it has, and their numbers there."""
        if len(self.members) == 1:
            yield 0, self.members[0], slice(0, len(documents)), documents
            return
        ends = documents.searchsorted(self.edges).tolist()
        for at, (member, start, end) in enumerate(zip(self.members, ends, ends[1:], strict=False)):
            if start < end:
                yield at, member, slice(start, end), documents[start:end] - np.int32(member.base)

    def votes(self, documents: Documents) -> Scores:
        """Looks up the votes of the inlinks of each of the documents."""
        return self._votes[documents]

    def votes_in(self, member: Member) -> Scores:
        """Returns the votes of the inlinks of all documents of a segment, deleted ones included."""
        return self._votes[member.base : member.base + member.leaf.size]

    def documents_with_term(self, field: str, term: str) -> Documents:
        """Finds the documents that hold the term in a text or as a key."""
        found = [np.empty(0, np.int32)]
        for member in self.members:
            leaf = member.leaf
            if (number := leaf.number(field, term)) >= 0:
                postings = leaf.postings(*leaf.dictionary.postings(number))
                there = leaf.rows[postings.rows, leaf.layout.column_of(field)] > 0
                found.append(member.to_snapshot(postings.documents[there]))
        return np.concatenate(found)

    def page(self, document: int) -> StoredPage:
        """Unpacks the document's page as a hit shows it."""
        return self.cache.pages.get(
            self.stable_key(document), lambda: unpack_page(self._stored_fields(document))
        )

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the document that every snapshot that has it shares: its segment, its place."""
        member = self._member(document)
        return member.name, document - member.base

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return [self._stored_fields(document)["url"] for document in documents]

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents (ascending), from 0, the same for http and https."""
        numbers, found = dict[str, int](), np.empty(len(documents), np.int64)
        for _, member, where, local in self.split_by_segment(documents):
            column = member.leaf.column("host")
            hosts, at = np.unique(column.numbers[local], return_inverse=True)
            authorities = [authority_of(f"{column.names[host]}/") for host in hosts.tolist()]
            here = [numbers.setdefault(authority, len(numbers)) for authority in authorities]
            found[where] = np.array(here, np.int64)[at]
        return found

    def documents_with_text(self, field: str) -> Documents:
        """Finds the documents that have something in a text."""
        column = TEXT_FIELDS.index(field)
        every = [np.flatnonzero(one.leaf.all_lengths[column]).astype(np.int32) for one in self.members]
        found = [one.to_snapshot(local) for one, local in zip(self.members, every, strict=True)]
        return np.concatenate((np.empty(0, np.int32), *found))

    @cached_property
    def languages(self) -> frozenset[str]:
        """Collects the languages of the documents, and of some that were deleted."""
        return self._list_terms("language")

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Collects the hosts of the documents, and of some that were deleted."""
        return self._list_terms("host")

    def _list_terms(self, key: str) -> frozenset[str]:
        return frozenset(
            member.leaf.dictionary.term(number)[1:].decode()
            for member in self.members
            for number in member.leaf.numbers_with_prefix(key, "")
        )

    @cached_property
    def averages(self) -> Mapping[str, float]:
        """How long a text is where there is one, to two digits: so that a commit rarely changes a norm."""
        return {name: _average([self._totals(one)[at] for one in self.members]) for at, name in _COLUMNS}

    def _totals(self, member: Member) -> list[Totals]:
        """Adds up the lengths of a segment's texts, without deleted documents."""
        every = member.leaf.totals
        if member.alive is None:
            return every
        gone = member.leaf.all_lengths[:, ~member.alive]
        return [
            Totals(of.length - int(lengths.sum(dtype=np.int64)), of.having - int(np.count_nonzero(lengths)))
            for of, lengths in zip(every, gone, strict=True)
        ]

    def _member(self, document: int) -> Member:
        return next(member for member in reversed(self.members) if member.base <= document)

    def _stored_fields(self, document: int) -> dict[str, Any]:
        member = self._member(document)
        return member.leaf.stored(document - member.base)


_COLUMNS = tuple(enumerate(TEXT_FIELDS))


def round_average(length: int, having: int) -> float:
    """Computes how long the texts are of which there are so many, to two digits."""
    return float(f"{length / having:.1e}") if having else 1.0


def _average(totals: list[Totals]) -> float:
    return round_average(sum(of.length for of in totals), sum(of.having for of in totals))
