"""Hosts that several crawls share, and the browser of those that render."""

from collections.abc import Iterator

import pytest

from tests.chromium import reason_without_sandbox, sandboxed_chromium
from tests.running import crawl
from tests.walk.slow_hosts import TEMPO, Found, found, slow_hosts
from tests.web.scripted import Site


@pytest.fixture(scope="module")
def hosts() -> Iterator[list[Site]]:
    """Hosts that link to each other."""
    with slow_hosts() as sites:
        yield sites


@pytest.fixture(scope="module")
def by_one(hosts: list[Site], tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What a single process finds."""
    folder = tmp_path_factory.mktemp("one")
    crawl(folder, *(site.url("/") for site in hosts))
    return found(folder)


@pytest.fixture
def sites(hosts: list[Site], by_one: Found) -> Iterator[list[Site]]:
    """The hosts, not asked for anything yet, and slow."""
    for site in hosts:
        site.log.clear()
    TEMPO.seconds = 2.0
    yield hosts
    TEMPO.seconds = 0.0


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Chromium is found in its sandbox."""
    if why := reason_without_sandbox():
        pytest.skip(why)
    with sandboxed_chromium(tmp_path_factory.mktemp("programs")):
        yield
