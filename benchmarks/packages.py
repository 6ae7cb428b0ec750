"""Fetches Debian packages and unpacks them; nothing is installed."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instruments.row import report_progress
from engine.errors import EngineError


def fetch_packages(folder: Path, packages: Sequence[str]) -> None:
    """Fetches the packages that are not in the folder yet, each into a folder of its name.

    Raises EngineError where apt or the network is missing, and for a package that nobody has.
    """
    if all((folder / package).is_dir() for package in packages):
        return
    for program in ("apt-get", "dpkg-deb"):
        if not shutil.which(program):
            raise EngineError(
                f"{program} is missing: only Debian and its like can fetch {' '.join(packages)}"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for package in packages:
            if not (folder / package).is_dir():
                report_progress(f"fetching {package}")
                _fetch(folder, package)
    except OSError as error:
        raise EngineError(f"cannot write {folder}: {error.strerror}") from error


def _fetch(folder: Path, package: str) -> None:
    """Fetches one, unpacked aside: a killed run leaves none that is half there."""
    with TemporaryDirectory(prefix=".", dir=folder) as work:
        _download(package, work)
        (archive,) = Path(work).glob("*.deb")
        if said := _run(["dpkg-deb", "--extract", archive.name, package], work):
            raise EngineError(f"cannot unpack {package}: {said}")
        Path(work, package).rename(folder / package)


def _download(package: str, work: str) -> None:
    """Downloads the archive of a package; the lists of packages are fetched where they do not lead to it."""
    download = ["apt-get", "-qq", "download", package]
    if not _run(download, work):
        return
    updated = _run(["apt-get", "-qq", "--error-on=any", "update"], work)
    if said := _run(download, work):
        lists = f" (its lists: {updated})" if updated else ""
        raise EngineError(f"apt-get cannot fetch {package}: {said}{lists}")


def _run(command: Sequence[str], work: str) -> str:
    """Runs a command there; '' if it did its work, else the first error that it told, or its last line."""
    english = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, cwd=work, env=english, capture_output=True, text=True, check=False)
    said = [f"exit code {done.returncode}", *done.stderr.strip().splitlines()]
    return next((line for line in said if line.startswith("E: ")), said[-1]) if done.returncode else ""
