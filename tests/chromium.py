"""Chromium as an unprivileged user starts it: in its sandbox, also where the tests run as root."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

# What Chromium is to write belongs to the user that it runs as.
_AS_NOBODY = """#!/bin/sh
for word in "$@"; do case "$word" in --user-data-dir=*) chown nobody "${{word#*=}}";; esac; done
HOME=/nonexistent exec setpriv --reuid=65534 --regid=65534 --clear-groups {unshare} "$@"
"""


def write_unshare(folder: Path) -> None:
    """A program `unshare` in a folder, which drops root's rights before it starts the system's."""
    folder.mkdir(exist_ok=True)
    program = folder / "unshare"
    program.write_text(_AS_NOBODY.format(unshare=shutil.which("unshare")))
    program.chmod(0o755)


@contextmanager
def sandboxed_chromium(folder: Path) -> Iterator[None]:
    """Where the tests run as root, what is found as unshare, which starts Chromium, drops root's rights."""
    if os.geteuid() != 0:
        yield
        return
    before = os.environ["PATH"]
    write_unshare(folder)
    os.environ["PATH"] = f"{folder}{os.pathsep}{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before


@cache
def reason_without_sandbox() -> str:
    """Why Chromium has no sandbox here, '' where it has one."""
    with tempfile.TemporaryDirectory() as folder, sandboxed_chromium(Path(folder)):
        profile = Path(folder, "profile")
        profile.mkdir()
        line = [
            "unshare",
            "--user",
            "--map-current-user",
            "--net",
            "chromium",
            "--headless",
            f"--user-data-dir={profile}",
            "--dump-dom",
            "about:blank",
        ]
        Path(folder).chmod(0o755)
        try:
            done = subprocess.run(line, capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"Chromium does not start here: {error}"
        return "" if b"<html>" in done.stdout else "Chromium has no sandbox on this machine"
