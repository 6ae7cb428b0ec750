"""Whoosh's codec: after `import engine.segment.codec` Whoosh opens the folder and searches it.

Only reading: folders are written by engine.segment.folder. It names nothing that Whoosh 2.7.4 lacks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh import reading
from whoosh.codec import base

from engine.errors import DamagedError
from engine.segment.matcher import PostingsMatcher
from engine.segment.sections import Mark, Sections
from engine.segment.segment import Segment

_BASE: Any = base
_READING: Any = reading


class ArraySegment(_BASE.Segment):  # type: ignore[misc]
    """What the table of contents keeps of a segment: `size` documents, and which files go with it.

    `deleted` and `votes` are the numbers of the commits that wrote them, 0 where there are none; `gone` is
    how many documents are deleted. Its committed files have `marks`. Who may see its documents is in all of
    these `audiences`: no segment has documents of different readers.
    """

    def __init__(self, indexname: str, size: int, deleted: int = 0, gone: int = 0, votes: int = 0) -> None:
        super().__init__(indexname)
        self.size, self.deleted, self.gone, self.votes = size, deleted, gone, votes
        self.audiences: frozenset[str] = frozenset()
        self.marks: dict[str, Mark] = {}

    def as_json(self) -> dict[str, Any]:
        """Returns our part of the table of contents (engine.segment.toc)."""
        counts = {name: getattr(self, name) for name in ("size", "deleted", "gone", "votes")}
        return {"id": self.segid, **counts, "audiences": sorted(self.audiences), "marks": self.marks}

    def __getstate__(self) -> dict[str, Any]:
        """Pickles Whoosh's part: no name of ours but the class's, and no mark."""
        return {**self.__dict__, "marks": {}}

    def codec(self) -> "ArrayCodec":
        """Returns its reader."""
        return ArrayCodec()

    def doc_count_all(self) -> int:
        """Counts documents, deleted ones included."""
        return self.size

    def deleted_count(self) -> int:
        """Counts deleted documents."""
        return self.gone

    @property
    def files(self) -> list[str]:
        """The names of its files, the segment itself first."""
        return [
            self.file("arrays"),
            *(self.file(name) for name in ("deleted", "votes") if getattr(self, name)),
        ]

    def file(self, name: str) -> str:
        """Names one of its files: `arrays`, or the one whose number the attribute `name` has."""
        number = "" if name == "arrays" else f"{getattr(self, name)}."
        return f"{self.segment_id()}.{number}{name}"

    def open(self, folder: Path) -> Segment:
        """Opens its arrays. Raises OSError, DamagedError."""
        return Segment(*self.locate(folder, "arrays"))

    def locate(self, folder: Path, name: str) -> tuple[Path, Mark | None]:
        """Returns the path of one of its files, and its mark if it is committed."""
        file = self.file(name)
        return folder / file, self.marks.get(file)

    def read_deletions(self, folder: Path) -> NDArray[np.bool_]:
        """Reads for each document whether it is deleted. Raises OSError, DamagedError."""
        if not self.deleted:
            return np.zeros(self.size, np.bool_)
        return np.unpackbits(self._read_array(folder, "deleted"), count=self.size).astype(np.bool_)

    def read_votes(self, folder: Path) -> NDArray[np.float32]:
        """Reads for each document the votes of its inlinks. Raises OSError, DamagedError."""
        if not self.votes:
            return np.zeros(self.size, np.float32)
        return self._read_array(folder, "votes")

    def _read_array(self, folder: Path, name: str) -> NDArray[Any]:
        """Reads and checks the whole array of a file beside the segment: one bit deletes a page."""
        sections = Sections(*self.locate(folder, name))
        sections.check()
        if len(found := sections.array(name)) != (self.size if name == "votes" else -(-self.size // 8)):
            raise DamagedError(sections.path)
        return found


class ArrayCodec(_BASE.Codec):  # type: ignore[misc]
    """Readers for Whoosh."""

    def terms_reader(self, storage: Any, segment: ArraySegment) -> "ArrayTerms":
        """Opens terms and postings."""
        return ArrayTerms(segment.open(Path(storage.folder)))

    def per_document_reader(self, storage: Any, segment: ArraySegment) -> "ArrayDocuments":
        """Opens lengths, stored fields and deletions."""
        folder = Path(storage.folder)
        return ArrayDocuments(segment.open(folder), segment.read_deletions(folder))


class ArrayTerms(_BASE.TermsReader):  # type: ignore[misc]
    """Terms of single fields, though fields share theirs: it asks each whether it is in the field."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._layout = segment.layout

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return self._find_postings(*term) is not None

    def indexed_field_names(self) -> list[str]:
        """Lists the fields that have terms."""
        return [*self._layout.texts, *self._layout.keys]

    def cursor(self, field: str, fieldobj: Any) -> "ArrayCursor":
        """Opens a cursor through the terms of a field."""
        return ArrayCursor(self, field, fieldobj)

    def terms(self) -> Iterator[tuple[str, bytes]]:
        """Yields all terms, field by field."""
        return ((field, text) for field in sorted(self.indexed_field_names()) for text in self.texts(field))

    def terms_from(self, field: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """Yields terms from one on, to the end of the last field."""
        for name in sorted(self.indexed_field_names()):
            if name >= field:
                yield from ((name, text) for text in self.texts(name, prefix if name == field else b""))

    def items(self) -> Iterator[tuple[tuple[str, bytes], Any]]:
        """Yields terms with what is known of them."""
        return ((term, self.term_info(*term)) for term in self.terms())

    def items_from(self, field: str, prefix: bytes) -> Iterator[tuple[tuple[str, bytes], Any]]:
        """Yields the same from a term on, as terms_from()."""
        return ((term, self.term_info(*term)) for term in self.terms_from(field, prefix))

    def term_info(self, field: str, text: bytes) -> Any:
        """Returns what is known of a term. Raises TermNotFound."""
        found = self._find_postings(field, text)
        if found is None:
            raise _READING.TermNotFound(f"there is no {text!r} in {field}")
        documents, amounts = found[1:3]
        lengths = self._segment.lengths(field)[documents] if field in self._layout.texts else np.ones(1)
        return _READING.TermInfo(
            weight=float(amounts.sum()),
            df=len(documents),
            minlength=int(lengths.min()),
            maxlength=int(lengths.max()),
            maxweight=float(amounts.max()),
            minid=int(documents[0]),
            maxid=int(documents[-1]),
        )

    def frequency(self, field: str, text: bytes) -> float:
        """Counts how often the term is in the field, 0 where it is not."""
        found = self._find_postings(field, text)
        return float(found[2].sum()) if found else 0

    def doc_frequency(self, field: str, text: bytes) -> int:
        """Counts the documents that have it there."""
        found = self._find_postings(field, text)
        return len(found[1]) if found else 0

    def matcher(self, field: str, text: bytes, format_: Any, scorer: Any = None) -> PostingsMatcher:
        """Returns a matcher over the documents of a term. Raises TermNotFound."""
        found = self._find_postings(field, text)
        if found is None:
            raise _READING.TermNotFound(f"there is no {text!r} in {field}")
        places, documents, amounts = found
        column = self._layout.column_of(field) if field in self._layout.placed else None
        return PostingsMatcher(
            self._segment, (field, text), column, places, documents, amounts, format_, scorer
        )

    def texts(self, field: str, first: bytes = b"") -> Iterator[bytes]:
        """Yields the terms of a field from one on."""
        group = self._layout.group(field)
        for term in self._segment.dictionary.terms(self._segment.dictionary.find_at_least(group + first)):
            if not term.startswith(group):
                return
            if field in self._layout.keys or self._find_postings(field, term[1:]) is not None:
                yield term[1:]

    def _find_postings(
        self, field: str, text: bytes
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint16]] | None:
        """Finds places, documents and amounts of a term's postings in a field, if there are any."""
        if field not in self.indexed_field_names():
            return None
        dictionary = self._segment.dictionary
        number = dictionary.find(self._layout.group(field) + text)
        if number < 0:
            return None
        postings = self._segment.postings(*dictionary.postings(number))
        amounts = self._segment.rows[:, self._layout.column_of(field)][postings.rows]
        there = np.flatnonzero(amounts)
        return (there + postings.start, postings.documents[there], amounts[there]) if len(there) else None


class ArrayCursor(_BASE.FieldCursor):  # type: ignore[misc]
    """Through the terms of a field, as fuzzy queries go."""

    def __init__(self, terms: ArrayTerms, field: str, fieldobj: Any) -> None:
        self._terms, self._field, self._fieldobj = terms, field, fieldobj
        self.first()

    def first(self) -> str | None:
        """Moves to the first term."""
        return self.find(b"")

    def find(self, term: bytes | str) -> str | None:
        """Moves to the first term that is not before this one."""
        start = term if isinstance(term, bytes) else self._fieldobj.to_bytes(term)
        self._left = self._terms.texts(self._field, start)
        return self.next()

    def next(self) -> str | None:
        """Moves to the next term."""
        found = next(self._left, None)
        self._text: str | None = None if found is None else self._fieldobj.from_bytes(found)
        return self._text

    def text(self) -> str | None:
        """Returns the term; None behind the last."""
        return self._text

    term = text

    def is_valid(self) -> bool:
        """Tells whether it is at a term."""
        return self._text is not None


class ArrayDocuments(_BASE.PerDocumentReader):  # type: ignore[misc]
    """Lengths, stored fields and deletions of a segment's documents."""

    def __init__(self, segment: Segment, deleted: NDArray[np.bool_]) -> None:
        self._segment, self._deleted = segment, deleted

    def doc_count(self) -> int:
        """Counts documents without the deleted ones."""
        return self._segment.size - int(self._deleted.sum())

    def doc_count_all(self) -> int:
        """Counts documents."""
        return self._segment.size

    def has_deletions(self) -> bool:
        """Tells whether one is deleted."""
        return bool(self._deleted.any())

    def is_deleted(self, docnum: int) -> bool:
        """Tells whether this one is deleted; Whoosh asks of the one behind the last, too."""
        return docnum < len(self._deleted) and bool(self._deleted[docnum])

    def deleted_docs(self) -> Iterator[int]:
        """Yields those that are deleted."""
        return iter(np.flatnonzero(self._deleted).tolist())

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        """Counts the positions of a text."""
        return int(self._segment.lengths(fieldname)[docnum]) if self._is_text(fieldname) else default

    def field_length(self, fieldname: str) -> int:
        """Adds up the lengths of all documents."""
        return int(self._segment.lengths(fieldname).sum(dtype=np.int64)) if self._is_text(fieldname) else 0

    def min_field_length(self, fieldname: str) -> int:
        """Returns the shortest length."""
        return int(min(self._segment.lengths(fieldname), default=0)) if self._is_text(fieldname) else 0

    def max_field_length(self, fieldname: str) -> int:
        """Returns the longest length."""
        return int(self._segment.lengths(fieldname).max(initial=0)) if self._is_text(fieldname) else 0

    def stored_fields(self, docnum: int) -> dict[str, Any]:
        """Returns stored fields by name."""
        return self._segment.stored(docnum)

    def all_stored_fields(self) -> Iterator[dict[str, Any]]:
        """Yields those of documents that are not deleted."""
        return (self.stored_fields(docnum) for docnum in self.all_doc_ids())

    def _is_text(self, field: str) -> bool:
        return field in self._segment.layout.texts
