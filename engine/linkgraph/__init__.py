"""Keeps the link graph: inlinks, anchor texts, clusters of copies, host templates."""

from engine.linkgraph.broken_links import BrokenLink, BrokenLinks, find_broken_links
from engine.linkgraph.check import find_graph_damages
from engine.linkgraph.checksums import (
    FACTORS,
    PRIME,
    IndexPosition,
    checksum_bytes,
    load_checksums,
    load_index_position,
    save_index_position,
)
from engine.linkgraph.clusters import ALONE, Cluster, Clusters
from engine.linkgraph.inlinks import Anchor, Inlinks, VotePivots
from engine.linkgraph.links import LinkGraph
from engine.linkgraph.templates import Templates

__all__ = [
    "ALONE",
    "FACTORS",
    "PRIME",
    "Anchor",
    "BrokenLink",
    "BrokenLinks",
    "Cluster",
    "Clusters",
    "IndexPosition",
    "Inlinks",
    "LinkGraph",
    "Templates",
    "VotePivots",
    "checksum_bytes",
    "find_broken_links",
    "find_graph_damages",
    "load_checksums",
    "load_index_position",
    "save_index_position",
]
