"""The systemd units leave open what the services need, and nothing else."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT

UNITS = ("lycosa-schedule.service", "lycosa-serve.service")
MOST_EXPOSED = 1.5  # of systemd's 10; what is left are network, files to read and loops that are compiled


def service(unit: str) -> Mapping[str, Sequence[str]]:
    """What a unit says of its service; a key may stand there more than once."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in (ROOT / "deploy" / unit).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("UMask", "0077", "what is written is its owner's"),
        ("NoNewPrivileges", "yes", "no setuid program gives any"),
        ("CapabilityBoundingSet", "", "none is needed above port 1023"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX", "the web, and sockets to readers"),
        ("SystemCallArchitectures", "native", "no other way into the kernel"),
        ("ProtectSystem", "strict", "nothing is written but data/ and the cache"),
        ("ReadWritePaths", "/srv/lycosa/data", "nothing is written but data/ and the cache"),
        ("ProtectHome", "yes", "the operator's own files"),
        ("PrivateTmp", "yes", "another user's files"),
        ("LimitCORE", "0", "memory holds what people asked"),
    ],
)
def test_what_units_leave_open(unit: str, key: str, value: str, why: str) -> None:
    assert service(unit)[key] == [value], why


@pytest.mark.parametrize("unit", UNITS)
def test_units_bound_memory_and_processes(unit: str) -> None:
    assert {"MemoryMax", "TasksMax"} <= service(unit).keys()


def test_no_unit_has_more_passwords_than_it_needs() -> None:
    """The page knows none of the alerts; where there is no cluster, its file need not be there."""
    files = [service(unit)["EnvironmentFile"] for unit in UNITS]
    assert files == [["-/etc/lycosa/environment", "-/etc/lycosa/opensearch"], ["-/etc/lycosa/opensearch"]]


def test_readers_may_confine_themselves() -> None:
    """A filter of system calls that refuses the next filter would leave readers without one."""
    allowed = " ".join(service(UNITS[0])["SystemCallFilter"])
    for call in ("seccomp", "prctl", "landlock_create_ruleset", "landlock_restrict_self"):
        assert call in allowed


@pytest.mark.systemd
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_understands_every_line(unit: str) -> None:
    """But for the program, which is not installed there."""
    path = str(ROOT / "deploy" / unit)
    done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True, timeout=60)
    said = [line for line in done.stderr.splitlines() if unit in line]
    assert [line for line in said if "is not executable" not in line] == []


@pytest.mark.systemd
def test_systemd_understands_what_is_added_for_a_server(tmp_path: Path) -> None:
    """The page may ask the crawl database, and still nobody else."""
    unit = shutil.copy(ROOT / "deploy" / "lycosa-serve.service", tmp_path)
    added = tmp_path / "lycosa-serve.service.d"
    added.mkdir()
    shutil.copy(ROOT / "deploy" / "lycosa-serve.postgresql.conf", added / "postgresql.conf")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60)
    said = [line for line in done.stderr.splitlines() if "lycosa" in line]
    assert [line for line in said if "is not executable" not in line] == []
    assert service("lycosa-serve.postgresql.conf").keys() == {"IPAddressAllow"}


@pytest.mark.systemd
@pytest.mark.parametrize("unit", UNITS)
def test_little_is_exposed(unit: str) -> None:
    path = str(ROOT / "deploy" / unit)
    words = ["systemd-analyze", "security", "--offline=true", path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    last = next(line for line in done.stdout.splitlines() if "Overall exposure level" in line)
    assert float(last.rpartition(": ")[2].split()[0]) <= MOST_EXPOSED


LOOP = re.compile(r"^@(?:compiled|inlined|linked|outlined)\b", re.MULTILINE)


@pytest.mark.slow
def test_make_install_compiles_all_loops() -> None:
    """Else the first search waits for a minute, with what is left to compile."""
    (names,) = re.findall(r"engine\.kernels\.precompile ([\w. ]+)", (ROOT / "Makefile").read_text("utf-8"))
    script = f"import {', '.join(names.split())}, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with_loops = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "engine").rglob("*.py")
        if path.parent.name != "kernels" and LOOP.search(path.read_text("utf-8"))
    }
    assert with_loops
    assert with_loops <= set(done.stdout.split())
