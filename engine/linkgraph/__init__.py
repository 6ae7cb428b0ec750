"""Who links to whom: inlinks, anchor texts, clusters of copies, host templates."""

from engine.linkgraph.checksums import FACTORS, PRIME, Reached, kept, of_bytes, reach, reached_by
from engine.linkgraph.clusters import ALONE, Cluster, Clusters
from engine.linkgraph.election import Candidate, candidates, chosen_hosts, contested, take_over
from engine.linkgraph.links import Anchor, Halves, Inlinks, LinkGraph
from engine.linkgraph.templates import Templates

__all__ = [
    "ALONE",
    "FACTORS",
    "PRIME",
    "Anchor",
    "Candidate",
    "Cluster",
    "Clusters",
    "Halves",
    "Inlinks",
    "LinkGraph",
    "Reached",
    "Templates",
    "candidates",
    "chosen_hosts",
    "contested",
    "kept",
    "of_bytes",
    "reach",
    "reached_by",
    "take_over",
]
