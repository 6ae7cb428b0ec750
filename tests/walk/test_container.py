"""The image is built and serves, where an engine for containers is at hand and its base can be fetched."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import ROOT
from tests.running import until

pytestmark = pytest.mark.long
ENGINES = ("podman", "docker")
BUILD_SECONDS = 1_800
IMAGE = "lycosa-under-test"


def run(*line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)


@pytest.fixture(scope="module")
def program() -> str:
    """The engine; skipped where none runs, in CI too: that takes rights that a CI may not have."""
    missing = list[str]()
    for name in ENGINES:
        if not shutil.which(name):
            missing.append(f"there is no {name}")
        elif run(name, "info").returncode:
            missing.append(f"{name} cannot be used ('{name} info' fails)")
        else:
            return name
    pytest.skip("; ".join(missing))


@pytest.fixture(scope="module")
def image(program: str) -> str:
    base = next(
        line.split()[1]
        for line in (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").splitlines()
        if line.startswith("FROM ")
    )
    if run(program, "pull", base).returncode:
        pytest.skip(f"{base} cannot be fetched")
    built = run(program, "build", "--file", "deploy/Containerfile", "--tag", IMAGE, ".")
    assert built.returncode == 0, built.stderr[-2000:]
    return IMAGE


@pytest.fixture
def container(program: str, image: str, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The name and address of one that serves, as compose.yaml has it."""
    toml = tmp_path / "crawl.toml"
    toml.write_text('contact = "a@example.org"\n', encoding="utf-8")
    toml.chmod(0o644)
    begun = run(
        *(program, "run", "--detach", "--init", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--publish", "127.0.0.1::8000"),
        *("--volume", "/srv/lycosa/data", "--volume", "/srv/lycosa/cache"),
        *("--volume", f"{toml}:/srv/lycosa/crawl.toml:ro", image),
    )
    assert begun.returncode == 0, begun.stderr
    name = begun.stdout.strip()
    try:
        address = run(program, "port", name, "8000/tcp").stdout.splitlines()[0]
        yield name, f"http://{address}"
    finally:
        run(program, "rm", "--force", "--volumes", name)


def test_it_serves_as_nobody_of_importance(program: str, container: tuple[str, str]) -> None:
    name, address = container
    until(lambda: _answers(f"{address}/health"), "the page")
    with urlopen(f"{address}/robot.json", timeout=60) as answer:
        assert json.load(answer)["contact"] == "a@example.org", "crawl.toml is read"
    assert run(program, "exec", name, "id", "-u").stdout.strip() == "10001"
    assert run(program, "exec", name, "touch", "/srv/lycosa/engine/new").returncode, "the code is read only"
    assert run(program, "exec", name, "touch", "/srv/lycosa/data/new").returncode == 0
    assert run(program, "exec", name, "/srv/lycosa/.venv/bin/scrapy", "status").returncode == 0
    assert run(program, "stop", name).returncode == 0


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
