"""`python -m tests.opensearch --folder FOLDER --port P`: a cluster of three nodes, for `make machines`.

Prints its location once they have found each other, ends by SIGTERM. A node that dies is started again, as
a service would be.
"""

import argparse
import os
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from tests.opensearch.cluster import Cluster

NODES = 3


def main() -> None:
    """Runs the cluster."""
    parser = argparse.ArgumentParser(prog="python -m tests.opensearch")
    parser.add_argument("--folder", type=Path, required=True, help="the nodes' data and logs are kept there")
    parser.add_argument("--port", type=int, required=True, help=f"the first of {2 * NODES} ports")
    opts = parser.parse_args()
    os.umask(0o077)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    cluster = Cluster(opts.folder.absolute(), NODES, opts.port)
    with ExitStack() as stops:
        for node in cluster.nodes:
            stops.callback(node.kill)
        cluster.start()
        # Before, none would have ended in order until it had found the others.
        for node in cluster.nodes:
            stops.callback(node.stop)
        print(locate(cluster), flush=True)  # noqa: T201 - it is a command
        while True:
            time.sleep(1)
            cluster.start_missing()


def locate(cluster: Cluster) -> str:
    """Returns the location of a cluster, as crawl.toml names it."""
    return "opensearch+http://" + ",".join(url.removeprefix("http://") for url in cluster.urls)


if __name__ == "__main__":
    main()
