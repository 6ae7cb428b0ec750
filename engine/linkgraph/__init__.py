"""Keeps the link graph: inlinks, anchor texts, clusters of copies, host templates.

It is a file in its generation's folder, or a schema of a PostgreSQL server: who uses it names where it is.
"""

from engine.linkgraph.broken_links import BrokenLink, BrokenLinks, find_broken_links
from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.clusters import ALONE, Cluster, Clusters
from engine.linkgraph.inlinks import Anchor, Inlinks, VotePivots
from engine.linkgraph.linking_pages import Inlink, find_linking_pages
from engine.linkgraph.links import LinkGraph
from engine.linkgraph.location import GraphLocation, GraphSchema
from engine.linkgraph.opening import (
    check_tables,
    create_graph,
    drop_graph,
    find_graph_damages,
    has_graph,
    load_commit_time,
    load_index_position,
    open_clusters,
    open_link_graph,
    open_templates,
    read_file_stats,
    save_index_position,
)
from engine.linkgraph.storage import FileStats
from engine.linkgraph.templates import GroupOf, Templates

__all__ = [
    "ALONE",
    "Anchor",
    "BrokenLink",
    "BrokenLinks",
    "Cluster",
    "Clusters",
    "FileStats",
    "GraphLocation",
    "GraphSchema",
    "GroupOf",
    "IndexPosition",
    "Inlink",
    "Inlinks",
    "LinkGraph",
    "Templates",
    "VotePivots",
    "check_tables",
    "create_graph",
    "drop_graph",
    "find_broken_links",
    "find_graph_damages",
    "find_linking_pages",
    "has_graph",
    "load_commit_time",
    "load_index_position",
    "open_clusters",
    "open_link_graph",
    "open_templates",
    "read_file_stats",
    "save_index_position",
]
