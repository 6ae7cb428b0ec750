"""Packages are fetched once, unpacked whole or not at all, and served; what is missing is told."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from benchmarks.sites import main
from tests.benchmarks.generated import PACKAGE, make_site
from tests.conftest import ROOT

APT = 'echo "$@" >> "{tmp}/asked"; case "$*" in *download*) {download} ;; *) {update} ;; esac'
UNPACK = 'test -f "$2" && mkdir -p "$3/usr/share/doc"'
GOT = "touch some-doc_1_all.deb"
UPDATED = f'test -f "{{tmp}}/lists" && {GOT}'  # none is found before the lists are there
LOST = "echo 'W: warned' >&2; echo 'E: Unable to locate' >&2; echo 'E: more' >&2; exit 100"
NO_NETWORK = "echo 'E: Temporary failure resolving' >&2; exit 100"


def programs(folder: Path, **bodies: str) -> str:
    """A PATH on which these come first."""
    for name, body in bodies.items():
        path = folder / "bin" / name.replace("_", "-")
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + body, encoding="utf-8")
        path.chmod(0o755)
    return f"{folder}/bin:/usr/bin:/bin"


def apt(folder: Path, download: str, update: str) -> str:
    body = APT.replace("{download}", download).replace("{update}", update)
    return body.replace("{tmp}", str(folder))


FETCHED = [
    (GOT, "exit 1", 1, "the lists of packages lead to it"),
    (UPDATED, 'touch "{tmp}/lists"', 3, "they do when they were fetched"),
]


@pytest.mark.parametrize(("download", "update", "asked", "why"), FETCHED)
def test_a_package_is_fetched_once(
    download: str, update: str, asked: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = programs(tmp_path, apt_get=apt(tmp_path, download, update), dpkg_deb=UNPACK)
    monkeypatch.setenv("PATH", path)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert main(["fetch", "sites", "some-doc"]) == 0
    assert len((tmp_path / "asked").read_text("utf-8").splitlines()) == asked, why
    assert [str(one.relative_to(tmp_path)) for one in (tmp_path / "sites").glob("*/usr/share/*")] == [
        "sites/some-doc/usr/share/doc"
    ]


REFUSED = [
    (LOST, "exit 0", UNPACK, "apt-get cannot fetch some-doc: E: Unable to locate", "nobody has it"),
    (
        LOST,
        NO_NETWORK,
        UNPACK,
        "apt-get cannot fetch some-doc: E: Unable to locate (its lists: E: Temporary failure resolving)",
        "no network",
    ),
    (GOT, "", "echo broken >&2; exit 2", "cannot unpack some-doc: broken", "a damaged archive"),
]


@pytest.mark.parametrize(("download", "update", "unpack", "said", "why"), REFUSED)
def test_what_cannot_be_fetched_is_told_in_one_line(
    download: str,
    update: str,
    unpack: str,
    said: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = programs(tmp_path, apt_get=apt(tmp_path, download, update), dpkg_deb=unpack)
    monkeypatch.setenv("PATH", path)
    assert main(["fetch", str(tmp_path / "sites"), "some-doc"]) == 2, why
    assert capsys.readouterr().err.splitlines() == ["fetching some-doc", f"sites: {said}"]
    assert list((tmp_path / "sites").iterdir()) == [], "nothing is left behind"


@pytest.mark.parametrize("missing", ["apt-get", "dpkg-deb"])
def test_only_debian_has_packages(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs(tmp_path, apt_get=GOT, dpkg_deb=UNPACK)
    (tmp_path / "bin" / missing).unlink()
    monkeypatch.setenv("PATH", f"{tmp_path}/bin")
    assert main(["fetch", str(tmp_path / "sites"), "some-doc"]) == 2
    said = f"sites: {missing} is missing: only Debian and its like can fetch some-doc\n"
    assert capsys.readouterr().err == said


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sites").write_text("a file", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", programs(tmp_path, apt_get=GOT, dpkg_deb=UNPACK))
        assert main(["fetch", str(tmp_path / "sites"), "some-doc"]) == 2
    assert capsys.readouterr().err == f"sites: cannot write {tmp_path}/sites: File exists\n"


@pytest.mark.nginx
def test_sites_are_served_until_they_are_stopped(tmp_path: Path) -> None:
    make_site(tmp_path, 1)
    words = [sys.executable, "-m", "benchmarks.sites", "serve", str(tmp_path), PACKAGE]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        name, start = serving.stdout.readline().split()
        with urllib.request.urlopen(start, timeout=30) as answer:
            assert answer.status == 200
        serving.send_signal(signal.SIGINT)
        assert serving.wait(30) == 0
    assert name == PACKAGE
