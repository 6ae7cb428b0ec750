"""Makes documents of an OpenSearch index of a batch: weights of terms, tokens, keys, term vectors."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_form import (
    AUTHORITY,
    EMPTY,
    FIELD_TERMS,
    FLAGGED,
    HEAD,
    LONGEST_END,
    NAMED,
    OTHER_TERMS,
    OWN_TERMS,
    RECORD,
    STACK,
    TITLE_END,
    VOTES,
    TermVector,
    feature_name,
    form_key,
    length_field,
    make_name_keys,
    pack_names,
    pack_vectors,
    part_field,
    weight_field,
)
from engine.index.documents import Document, SegmentBatch, make_entries, measure_texts
from engine.index.reader import BODY, OWN, Leaf, Scores, marks_of, set_marks
from engine.index.schema import FORMS, KEYS, LAYOUT, NAMES, PHRASE_FIELDS, TEXT_FIELDS
from engine.index.scoring import weigh_postings
from engine.segment import MAX_LENGTH, invert_entries, pack_segment, stored
from engine.text.analysis import VARIANT_MARK
from engine.text.tokens import TermBatch, TermNumbering

LEAST = 1e-30  # of a weight: OpenSearch refuses what is no normal number
MAX_SPENT = 2**31 - 1  # of a field: the first 16 bits of its values, added up, as Lucene has it
FEW_FEATURES = 32_768  # that are never more: each is less than 2^16
_KEPT_BITS = np.uint32(15)  # that Lucene cuts off a feature's value, of 32

Source = dict[str, Any]


class WeighedTerms(NamedTuple):
    """The terms of a batch's texts, document after document: `edges` tell where each one's begin and end."""

    names: Sequence[str]
    numbers: NDArray[np.int64]
    weights: Scores
    marks: NDArray[np.uint32]
    edges: Sequence[int]


def make_sources(
    batch: SegmentBatch, numbering: TermNumbering, norms: Scores, variant: float, votes: Scores
) -> Iterator[Source]:
    """Makes the documents of a batch; `norms` and `variant` are those of engine.index.scoring.words.

    What they weigh terms with stays for all documents of an index.
    """
    made, lengths = make_entries(batch, numbering), measure_texts(batch)
    inverted = invert_entries(LAYOUT, *made)
    of_texts = dict(zip(TEXT_FIELDS, lengths.T, strict=True))
    leaf = Leaf(pack_segment(LAYOUT, inverted.rows, inverted.run, of_texts, batch.heading_ends))
    terms = _weigh_terms(leaf, norms)
    vectors = pack_vectors(made, lengths, batch.heading_ends)
    forms = _forms_of(leaf)
    tokens = _Tokens(batch.terms, numbering)
    for at, (document, vector) in enumerate(zip(batch.documents, vectors, strict=True)):
        source = _make_keys(document) | _make_terms(terms, at, variant) | tokens.of(at) | _make_parts(vector)
        source |= _make_lengths(lengths[at]) | _make_names(document)
        source[FORMS] = list(map(form_key, forms[at]))
        source[VOTES] = float(votes[at])
        source[RECORD] = _encode(stored.pack_fields(document.stored))
        yield source


def _make_lengths(lengths: NDArray[np.int64]) -> Source:
    """Makes the lengths of the texts that there are, as a segment has them."""
    known = zip(TEXT_FIELDS, np.minimum(lengths, MAX_LENGTH).tolist(), strict=True)
    return {length_field(name): length for name, length in known if length}


def _weigh_terms(leaf: Leaf, norms: Scores) -> WeighedTerms:
    """Weighs all postings of terms of texts."""
    every = leaf.numbers_with_prefix(TEXT_FIELDS[0], "")
    names = _list_names(leaf, every)
    postings, counts = leaf.postings_of_terms(every)
    weights = np.empty(len(postings.documents), np.float32)
    weigh_postings(leaf.arrays, norms, postings.documents, postings.rows.astype(np.int32), weights)
    order = np.argsort(postings.documents, kind="stable")
    numbers = np.repeat(np.arange(len(every)), counts)[order]
    edges = postings.documents[order].searchsorted(np.arange(leaf.size + 1)).tolist()
    marks = marks_of(weights)[order]
    return WeighedTerms(names, numbers, set_marks(weights[order], np.uint32(0)), marks, edges)


def _make_terms(terms: WeighedTerms, at: int, variant: float) -> Source:
    """Makes the features of a document, and the terms that it says itself outside its body.

    A variant counts for the term itself, a share: a query asks for one feature instead of two.
    """
    here = slice(terms.edges[at], terms.edges[at + 1])
    names = [terms.names[number] for number in terms.numbers[here].tolist()]
    weights = dict[str, float]()
    for name, weight in zip(names, terms.weights[here].tolist(), strict=True):
        term = name.removeprefix(VARIANT_MARK)
        if term:  # a stem of nothing is no feature
            share = 1.0 if term == name else variant
            weights[term] = weights.get(term, 0.0) + share * weight
    own = terms.marks[here] & (OWN | BODY)
    return {
        **_make_features(weights),
        OWN_TERMS: [names[place] for place in np.flatnonzero(own == OWN).tolist() if names[place]],
        OTHER_TERMS: [names[place] for place in np.flatnonzero(own == 0).tolist() if names[place]],
    }


def _make_features(weights: Mapping[str, float]) -> Source:
    """Makes the features of terms; of more than Lucene takes, which nobody writes, the least are left out."""
    values = round_weights(np.array(list(weights.values()), np.float32))
    found = defaultdict[str, dict[str, float]](dict)
    for term, value in zip(weights, values.tolist(), strict=True):
        if value > LEAST:
            found[weight_field(term)][feature_name(term)] = value
    return {name: _limit_features(some) for name, some in found.items()}


def _limit_features(features: dict[str, float]) -> dict[str, float]:
    """Limits the features of one field."""
    if len(features) <= FEW_FEATURES:
        return features
    values = np.array(list(features.values()), np.float32)
    order = np.argsort(-values, kind="stable")
    spent = np.cumsum((values[order].view(np.uint32) >> _KEPT_BITS).astype(np.int64))
    names = list(features)
    return {names[at]: features[names[at]] for at in order[spent <= MAX_SPENT].tolist()}


def round_weights(weights: Scores) -> Scores:
    """Rounds weights to the nearest value that a feature can have, of 9 bits: Lucene cuts the others off."""
    half = np.uint32(1 << (int(_KEPT_BITS) - 1))
    bits = (weights.view(np.uint32) + half) >> _KEPT_BITS << _KEPT_BITS
    rounded: Scores = bits.view(np.float32)
    return rounded


def _forms_of(leaf: Leaf) -> list[list[str]]:
    """Lists the forms of each document."""
    found: list[list[str]] = [[] for _ in range(leaf.size)]
    every = leaf.numbers_with_prefix(FORMS, "")
    names = _list_names(leaf, every)
    postings, counts = leaf.postings_of_terms(every)
    for document, number in zip(
        postings.documents.tolist(), np.repeat(np.arange(len(every)), counts).tolist(), strict=True
    ):
        found[document].append(names[number])
    return found


def _list_names(leaf: Leaf, numbers: range) -> list[str]:
    """Lists the terms of these numbers, without their groups."""
    return [term[1:].decode() for term in islice(leaf.dictionary.terms(numbers.start), len(numbers))]


class _Tokens:
    """Writes texts with positions so that the analyzer of the mapping finds each term where it stands."""

    def __init__(self, read: TermBatch, numbering: TermNumbering) -> None:
        self._read, self._terms = read, numbering.terms
        self._edges = read.texts.searchsorted(np.arange(len(read.lengths) + 1)).tolist()

    def of(self, document: int) -> Source:
        """Writes the texts of a document."""
        first = document * len(TEXT_FIELDS)
        texts = {name: self._write(first + TEXT_FIELDS.index(name)) for name in PHRASE_FIELDS}
        sets = {name: self._list_terms(first + TEXT_FIELDS.index(name)) for name in FIELD_TERMS}
        return {name: text for name, text in (texts | sets).items() if text}

    def _list_terms(self, text: int) -> list[str]:
        here = slice(self._edges[text], self._edges[text + 1])
        return [term for n in np.unique(self._read.terms[here]).tolist() if (term := self._terms[n])]

    def _write(self, text: int) -> str:
        here = slice(self._edges[text], self._edges[text + 1])
        tokens, last = list[str](), -1
        for number, position in zip(
            self._read.terms[here].tolist(), self._read.positions[here].tolist(), strict=True
        ):
            term = self._terms[number]
            if not term:
                continue
            if position == last:
                tokens[-1] += STACK + term
            else:
                tokens += [EMPTY] * (position - last - 1)
                tokens.append(term)
                last = position
        return " ".join(tokens)


def _make_keys(document: Document) -> Source:
    names = [name for name in KEYS if name != NAMES]
    keys = {name: [term for term in document.keys.get(name, ()) if term] for name in names}
    columns = {FLAGGED: bool(keys["flag"]), AUTHORITY: [host.rpartition("//")[2] for host in keys["host"]]}
    return columns | {name: terms for name, terms in keys.items() if terms}


def _make_names(document: Document) -> Source:
    """Makes the names of a document, and the end of its title."""
    title = " ".join(document.texts[TEXT_FIELDS.index("title")].encode("utf-8", "replace").decode().split())
    names = document.keys[NAMES]
    packed = {NAMES: make_name_keys(names), NAMED: _encode(pack_names(names))} if names else {}
    return {TITLE_END: title[-LONGEST_END:]} | packed


def _make_parts(vector: TermVector) -> Source:
    parts = {part_field(number): _encode(part) for number, part in enumerate(vector.parts) if part}
    return {HEAD: _encode(vector.head), **parts}


def _encode(octets: bytes) -> str:
    return b64encode(octets).decode("ascii")
