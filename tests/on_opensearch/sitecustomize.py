"""Python imports this at its start where this folder is in PYTHONPATH: so do the commands that tests run."""

from tests.on_opensearch.indexes import use_cluster

use_cluster()
