"""Writes the index into an OpenSearch cluster: the same analysis, and of each document what ranking needs."""

from engine.index.cluster_indexing.cluster_index_writer import ClusterIndexWriter, create_cluster_index
from engine.index.cluster_indexing.cluster_writer import ClusterWriter
from engine.index.cluster_indexing.mapping import (
    AUTHORITY,
    FIELD_TERMS,
    FLAGGED,
    FORM_START,
    HEAD,
    NAMED,
    OTHER_TERMS,
    OWN_TERMS,
    RECORD,
    TITLE_END,
    VOTES,
    document_id,
    feature_name,
    form_key,
    length_field,
    part_field,
    weight_field,
)
from engine.index.cluster_indexing.page_names import NameTerm, begins_with, unpack_names
from engine.index.cluster_indexing.term_vectors import (
    FetchedVector,
    find_parts,
    part_of_word,
    select_terms,
)

__all__ = [
    "AUTHORITY",
    "FIELD_TERMS",
    "FLAGGED",
    "FORM_START",
    "HEAD",
    "NAMED",
    "OTHER_TERMS",
    "OWN_TERMS",
    "RECORD",
    "TITLE_END",
    "VOTES",
    "ClusterIndexWriter",
    "ClusterWriter",
    "FetchedVector",
    "NameTerm",
    "begins_with",
    "create_cluster_index",
    "document_id",
    "feature_name",
    "find_parts",
    "form_key",
    "length_field",
    "part_field",
    "part_of_word",
    "select_terms",
    "unpack_names",
    "weight_field",
]
