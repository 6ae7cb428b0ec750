"""Chromium in its sandbox and without a network, or not at all."""

import asyncio
import os
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.render.browser import Chromium
from tests.engine.render.conftest import Studio

pytestmark = [pytest.mark.chromium, pytest.mark.slow]


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def check() -> None:
    asyncio.run(Chromium("x").check())


REFUSED = [
    ("chromium", 'exec /usr/bin/chromium --no-sandbox "$@"', "without its sandbox", "what Docker images do"),
    ("chromium", "echo no display >&2; exit 1", "does not start", "it ends at once"),
    ("unshare", "echo 'unshare: Operation not permitted' >&2; exit 1", "which unshare", "no namespace"),
    ("unshare", 'shift 3; exec "$@"', "root|beside a network", "a namespace that is none"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "says", "why"), REFUSED)
def test_without_its_sandbox_no_browser_is_used(
    sandbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, says: str, why: str
) -> None:
    """Nor without the namespace that has no network; one line says so."""
    program(tmp_path / "bin", name, text)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "bin").chmod(0o755)
    ours = (one for one in tmp_path.parents if one.name.startswith(("pytest-", "popen-")))
    for folder in (tmp_path, *ours):
        folder.chmod(0o755)
    with pytest.raises(EngineError, match=says) as error:
        check()
    assert "\n" not in str(error.value), why


def test_with_both_it_is(sandbox: Path) -> None:
    check()


def test_a_browser_has_neither_network_nor_secrets(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKI_PASSWORD", "canary")

    async def act() -> int:
        async with studio.chromium.open_page():
            process = studio.chromium._process
            assert process
            return process._pid

    proc = Path(f"/proc/{studio.runner.run(act())}")
    assert os.readlink(proc / "ns" / "net") != os.readlink("/proc/self/ns/net")
    assert b"canary" not in (proc / "environ").read_bytes()
    devices = [line.split(":")[0].strip() for line in (proc / "net" / "dev").read_text().splitlines()[2:]]
    assert devices == ["lo"]
    assert (proc / "net" / "route").read_text().count("\n") <= 1


def test_after_so_many_pages_another_browser_is_started(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.render.browser.MAX_PAGES", 2)

    async def act() -> set[int]:
        found = set[int]()
        for _ in range(4):
            async with studio.chromium.open_page():
                process = studio.chromium._process
                assert process
                found.add(process._pid)
        return found

    assert len(studio.runner.run(act())) >= 2
