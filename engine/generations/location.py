"""Names where an index is: a data folder, or a cluster with a database for its link graphs."""

from pathlib import Path

from engine.opensearch import ClusterIndex

IndexLocation = Path | ClusterIndex
