"""What all tests share: what a machine lacks is skipped with a reason, in CI nothing is."""

import gc
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings

from engine.workers import landlock
from tests.on_opensearch import indexes
from tests.on_postgresql import folders
from tests.opensearch.cluster import find_jars, run_cluster
from tests.postgresql import Server, find_binaries, run_server
from tests.requirements_report import COLLECTED
from tests.shared import reason_to_skip

settings.register_profile("lycosa", deadline=None)  # a time says more of the machine than of the code
settings.load_profile("lycosa")

ROOT = Path(__file__).parent.parent
ON_POSTGRESQL = os.environ.get("LYCOSA_TEST_DATABASE") == "postgresql"  # make promises
ON_OPENSEARCH = os.environ.get("LYCOSA_TEST_INDEX") == "opensearch"  # likewise
FIRST = ("walk", "recovery", "commands", "workers", "zoo")  # the folders whose tests run longest
MAX_FILES = 100  # open between two tests; connections to a server that takes 200 are among them
SKIP_NOTHING = bool(os.environ.get("LYCOSA_SKIP_NOTHING"))
WITHOUT = os.environ.get("LYCOSA_WITHOUT", "").split()  # marks of tests to skip where nothing else may be


def can_make_namespace() -> bool:
    """Whether this user may make a network namespace: root may, where the kernel has them."""
    made = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    return made.returncode == 0


MISSING: dict[str, Callable[[], bool]] = {
    "caddy": lambda: not shutil.which("caddy"),
    "chromium": lambda: not (shutil.which("chromium") and importlib.util.find_spec("playwright")),
    "fences": lambda: not landlock.abi(),
    "git": lambda: not shutil.which("git"),
    "namespaces": lambda: not (shutil.which("ip") and shutil.which("unshare") and can_make_namespace()),
    "nginx": lambda: not shutil.which("nginx"),
    "opensearch": lambda: not (find_jars() and importlib.util.find_spec("opensearchpy")),
    "postgresql": lambda: not (find_binaries() and importlib.util.find_spec("psycopg")),
    "systemd": lambda: not shutil.which("systemd-analyze"),
    "tesseract": lambda: not (shutil.which("tesseract") and landlock.abi()),
    "wget": lambda: not shutil.which("wget"),
}


class Compiled(dict[tuple[Any, ...], Any]):
    """Statements in each database's words, for the databases of all tests; SQLAlchemy's own cache is of one.

    The first part of a key is that database's dialect; all of ours with a name are alike.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), value)


COMPILED = Compiled()


def compile_once(connection: sa.Connection) -> None:
    """Compiling is half of what a small crawl takes, and most tests make a database of their own."""
    connection.execution_options(compiled_cache=COMPILED)


def pytest_configure() -> None:
    """Not where this is only imported: commands run as they are."""
    sa.event.listen(sa.Engine, "engine_connect", compile_once)


def pytest_collection() -> None:
    """What collecting makes stays: looking for garbage in it took a third of the time, in each worker."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Nor does the collector look at modules and tests again whenever a test has made some garbage."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Close what is only waiting to be collected: crawls that a test has left, a database or two in each."""
    if len(os.listdir("/proc/self/fd")) > MAX_FILES:
        gc.collect()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what cannot run here; where nothing may be skipped, let it run and fail, but in a clone alone.

    What runs longest goes first, whole commands and the zoo, so that no processor waits for it at the end.
    """
    config.stash[COLLECTED] = list(items)
    items.sort(key=lambda item: item.path.parent.name not in FIRST)
    for item in items:
        needed = [name for mark in item.iter_markers("shared") for name in mark.args]
        if reason := reason_to_skip(needed, skip_nothing=SKIP_NOTHING):
            item.add_marker(pytest.mark.skip(reason=reason))
        if ON_OPENSEARCH:
            item.add_marker(pytest.mark.opensearch)
    for name, missing in MISSING.items():
        if name in WITHOUT or (not SKIP_NOTHING and missing()):
            for item in items:
                if item.get_closest_marker(name):
                    item.add_marker(pytest.mark.skip(reason=f"there is no {name} on this machine"))


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Server]:
    """A PostgreSQL server of this test process."""
    with run_server() as server:
        yield server


@pytest.fixture
def database_url(postgresql_server: Server) -> str:
    """The URL of an empty database."""
    return postgresql_server.create_database()


@pytest.fixture(scope="session")
def opensearch_node() -> Iterator[str]:
    """The address of an OpenSearch node of this test process: each test makes an index of its own there."""
    with run_cluster() as cluster:
        yield cluster.nodes[0].url


@pytest.fixture(scope="session", autouse=ON_POSTGRESQL)
def folders_on_postgresql(request: pytest.FixtureRequest) -> None:
    """Gives each data folder a database of a server, in the processes that tests start, too."""
    server: Server = request.getfixturevalue("postgresql_server")
    os.environ[folders.SERVER] = server.url("").rstrip("/")
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT / "tests/on_postgresql"), str(ROOT)))
    folders.use_server()


@pytest.fixture(scope="session", autouse=ON_OPENSEARCH)
def indexes_on_opensearch(request: pytest.FixtureRequest) -> None:
    """Gives each data folder an index in a cluster, in the processes that tests start, too."""
    server: Server = request.getfixturevalue("postgresql_server")
    os.environ[indexes.GRAPHS] = server.create_database()
    os.environ[indexes.CLUSTER] = f"opensearch+{request.getfixturevalue('opensearch_node')}"
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT / "tests/on_opensearch"), str(ROOT)))
    indexes.use_cluster()
