"""An OpenSearch cluster on loopback, for tests: a JVM for each node, folders of its own, killed at the end.

`make opensearch-server` fetches what it runs. There is no TLS and no password: that plugin is not among it.
"""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import urllib3

JARS = Path(__file__).parents[2] / "build/opensearch"
HEAP = "1g"  # with half of it, the circuit breaker answers bulk requests of some size with 429
PATIENCE = 240  # seconds until nodes have found each other; three of them take eleven where nothing else runs
C1_ALONE = "-XX:TieredStopAtLevel=1"  # a test ends before the second compiler pays: half of the start was its
JVM = (f"-Xmx{HEAP}", "-Xms128m", "-XX:+UseSerialGC", "-XX:-UsePerfData", C1_ALONE, "-Dlog4j2.level=INFO")
SETTINGS = {
    "network.host": "127.0.0.1",
    # A disk that is nearly full is not what a test is about.
    "cluster.routing.allocation.disk.threshold_enabled": "false",
}
NO_SETTINGS: Mapping[str, str] = {}


def find_jars() -> Path | None:
    """Finds the folder of the server's jars; None where nobody has fetched them, or there is no Java."""
    return JARS if (JARS / "Node.class").exists() and shutil.which("java") else None


class Node:
    """One server of a cluster; its data outlive it. Port 0 is one that is free."""

    def __init__(
        self, folder: Path, port: int = 0, transport: int = 0, settings: Mapping[str, str] = NO_SETTINGS
    ) -> None:
        self.folder, self._settings = folder, settings
        self.port, self.transport = port or _free_port(), transport or _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, peers: list["Node"]) -> None:
        """Starts it among its peers, itself included; it answers later."""
        settings = {
            **SETTINGS,
            **self._settings,
            "node.name": self.folder.name,
            "path.home": str(self.folder),
            "http.port": str(self.port),
            "transport.port": str(self.transport),
            "discovery.seed_hosts": ",".join(f"127.0.0.1:{peer.transport}" for peer in peers),
            "cluster.initial_cluster_manager_nodes": ",".join(peer.folder.name for peer in peers),
        }
        command = ["java", *JVM, "-cp", f"{JARS}:{JARS}/*", "Node"]
        command += [f"{name}={value}" for name, value in settings.items()]
        self.folder.mkdir(exist_ok=True)
        with self.folder.with_suffix(".log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder
            )

    def count_peers(self) -> int:
        """Counts the nodes of the cluster that it is in; 0 until it answers and there is a manager.

        Raises AssertionError with its log if it has ended by itself.
        """
        assert self._process
        assert self._process.poll() is None, self.folder.with_suffix(".log").read_text()[-2000:]
        try:
            health = f"{self.url}/_cluster/health?local=true"
            answer = urllib3.request("GET", health, retries=False, timeout=5).json()
        except urllib3.exceptions.HTTPError:
            return 0
        return int(answer["number_of_nodes"]) if answer.get("discovered_cluster_manager") else 0

    def kill(self) -> None:
        """Kills it with SIGKILL, as a power cut would but that the system's own memory is kept."""
        if self._process:
            self._process.kill()
            self._reap()

    def stop(self) -> None:
        """Stops it in order."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._reap()

    def _reap(self) -> None:
        if self._process and self._process.stdin:
            self._process.wait(PATIENCE)
            self._process.stdin.close()
            self._process = None


class Cluster:
    """Nodes that have found each other. They answer at ports from `first` on, and speak with each other at
    those behind; where it is 0, at such as are free.
    """

    def __init__(
        self, folder: Path, size: int, first: int = 0, settings: Mapping[str, str] = NO_SETTINGS
    ) -> None:
        places = [(first + n, first + size + n) if first else (0, 0) for n in range(size)]
        self.nodes = [Node(folder / f"node{n}", *ports, settings) for n, ports in enumerate(places, start=1)]

    @property
    def urls(self) -> list[str]:
        """Where its nodes answer, those too that do not run."""
        return [node.url for node in self.nodes]

    def start(self) -> None:
        """Starts the nodes that do not run, and waits until each knows all others."""
        self.start_missing()
        until = time.monotonic() + PATIENCE
        while any(node.count_peers() < len(self.nodes) for node in self.nodes):
            assert time.monotonic() < until, "the nodes have not found each other"
            time.sleep(0.1)

    def start_missing(self) -> None:
        """Starts the nodes that do not run."""
        for node in self.nodes:
            if not node.runs:
                node.kill()  # what is left of one that died
                node.start(self.nodes)


@contextmanager
def run_cluster(nodes: int = 1, settings: Mapping[str, str] = NO_SETTINGS) -> Iterator[Cluster]:
    """Runs an empty cluster of so many nodes in a folder of its own, with these settings besides."""
    with TemporaryDirectory(prefix="lycosa-opensearch-") as folder, ExitStack() as kills:
        cluster = Cluster(Path(folder), nodes, settings=settings)
        for node in cluster.nodes:
            kills.callback(node.kill)
        cluster.start()
        yield cluster


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
