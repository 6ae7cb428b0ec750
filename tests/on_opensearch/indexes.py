"""Gives each data folder an index in a cluster in the place of its own: PREFIX-... by the folder's path."""

import os
from hashlib import sha256
from pathlib import Path

from engine.generations import opening
from engine.generations.cluster import ClusterStorage
from engine.index.cluster_form import creating
from engine.opensearch import ClusterIndex

CLUSTER = "LYCOSA_TEST_CLUSTER"  # the location of a cluster, without a prefix
GRAPHS = "LYCOSA_TEST_GRAPHS"  # the URL of the database that has the link graphs


def use_cluster() -> None:
    """Has this process use the cluster that the environment names, if it names one."""
    if os.environ.get(CLUSTER):
        setattr(opening, "FolderStorage", lambda folder: ClusterStorage(locate_index(folder)))  # noqa: B010
        setattr(creating, "LEASE_LOOKS", 0)  # noqa: B010 - half a minute for each removal


def locate_index(folder: Path) -> ClusterIndex:
    """Returns where the index of a folder is."""
    prefix = f"t{sha256(str(folder.resolve()).encode()).hexdigest()[:20]}"
    return ClusterIndex(f"{os.environ[CLUSTER]}/{prefix}", os.environ[GRAPHS])
