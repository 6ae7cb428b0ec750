"""The files of the container agree with the repository and with each other; an engine need not be there."""

import argparse
import re
import shlex
import shutil
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from cryptography import x509
from scrapy.settings import Settings

import engine.settings
from engine.command import LycosaCommand
from engine.config import parse_cluster_url, parse_database_url
from engine.opensearch import PASSWORD_VARIABLE, parse_location
from tests.conftest import ROOT

Services = Mapping[str, Mapping[str, Any]]


def compose(name: str) -> Mapping[str, Any]:
    """What a file of compose says."""
    found: Mapping[str, Any] = yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))
    return found


COMPOSE = compose("compose.yaml")
SERVICES: Services = COMPOSE["services"]
OF_MACHINES = compose("compose.machines.yaml")
DATABASE: Mapping[str, Any] = OF_MACHINES["services"]["database"]
NODES: Services = {name: one for name, one in OF_MACHINES["services"].items() if name.startswith("node")}
MACHINES: Services = {name: one for name, one in OF_MACHINES["services"].items() if "-" in name}


def instructions() -> list[tuple[str, str]]:
    """Name and rest of each line of the Containerfile, continued lines as one."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def words_of(name: str) -> list[Sequence[str]]:
    """Its words, of a list in JSON or of a shell's line."""
    found = [rest for each, rest in instructions() if each == name]
    return [yaml.safe_load(rest) if rest.startswith("[") else shlex.split(rest) for rest in found]


def copied() -> list[str]:
    return [word for words in words_of("COPY") for word in words[:-1] if not word.startswith("--")]


HOME = PurePosixPath(words_of("WORKDIR")[0][0])
COMMANDS = [words_of("CMD")[0], *(service["command"] for service in SERVICES.values())]


def test_whatever_is_copied_is_there_and_not_left_out() -> None:
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert [name for name in copied() if not (ROOT / name).exists()] == []
    assert {line[1:] for line in left_out if line.startswith("!")} == set(copied())


def test_whatever_runs_is_copied() -> None:
    """The packages of the project, and what `pip install` reads."""
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert packages | {"pyproject.toml", "requirements.txt", "scrapy.cfg"} <= set(copied())
    runs = " ".join(rest for name, rest in instructions() if name == "RUN")
    (compiled,) = re.findall(r"engine\.kernels\.precompile ([\w. ]+)", runs)
    assert f"precompile {compiled.strip()} && wait" in (ROOT / "Makefile").read_text("utf-8"), (
        "the same loops"
    )


@pytest.mark.parametrize("line", COMMANDS, ids=" ".join)
def test_each_command_exists_and_takes_its_options(line: Sequence[str]) -> None:
    command: LycosaCommand = import_module(f"engine.commands.{line[0]}").Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    _, unknown = parser.parse_known_args(line[1:])
    assert unknown == []


def test_ports_and_paths_agree() -> None:
    search = SERVICES["search"]
    port = search["command"][search["command"].index("--port") + 1]
    assert words_of("CMD") == [search["command"]]
    assert words_of("EXPOSE") == [[port]]
    assert search["ports"] == [f"127.0.0.1:{port}:{port}"], "nobody but this machine, as without a container"
    assert f"//127.0.0.1:{port}/health" in search["healthcheck"]["test"][-1]
    cache = words_of("ENV")[0][0].removeprefix("NUMBA_CACHE_DIR=")
    assert words_of("VOLUME") == [[str(HOME / engine.settings.DATA_DIR), cache]]
    assert set(COMPOSE["volumes"]) == {"data", "cache"}
    for service in SERVICES.values():
        assert service["volumes"] == [
            f"data:{HOME / engine.settings.DATA_DIR}",
            f"cache:{cache}",
            f"../{engine.settings.CRAWL_TOML}:{HOME / engine.settings.CRAWL_TOML}:ro",
        ]
        assert (ROOT / "deploy" / service["build"]["context"]).resolve() == ROOT
        assert (ROOT / service["build"]["dockerfile"]).exists()
    assert words_of("ENTRYPOINT") == [[str(HOME / ".venv/bin/scrapy")]]
    assert search["healthcheck"]["test"][1] == str(HOME / ".venv/bin/python")


@pytest.mark.parametrize("name", SERVICES)
def test_little_is_allowed(name: str) -> None:
    """As with the systemd units."""
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges"]
    assert {"mem_limit", "pids_limit"} <= service.keys()


def test_nothing_runs_as_root() -> None:
    names = [name for name, _ in instructions()]
    assert words_of("USER") == [["lycosa"]]
    assert names.index("USER") < names.index("COPY")


@pytest.mark.parametrize("machine", ["one", "two"])
@pytest.mark.parametrize("kind", ["search", "schedule"])
def test_each_machine_is_as_one_alone_but_for_its_data(kind: str, machine: str) -> None:
    """The same command, limits and rights; an image with what servers need, and their passwords."""
    alone, one = SERVICES[kind], MACHINES[f"{kind}-{machine}"]
    own = {"image", "build", "depends_on", "environment", "ports", "volumes"}
    assert {key: one[key] for key in alone.keys() - own} == {key: alone[key] for key in alone.keys() - own}
    assert one["build"] == {**alone["build"], "args": {"POSTGRESQL": "1", "OPENSEARCH": "1"}}
    assert one["environment"] == ["PGPASSWORD", PASSWORD_VARIABLE, *alone.get("environment", [])]
    volumes = [alone["volumes"][0].replace("data:", f"{machine}:", 1), *alone["volumes"][1:]]
    assert one["volumes"] == [*volumes, f"certificates:{HOME}/certificates:ro"]
    assert one["depends_on"] == {name: {"condition": "service_healthy"} for name in ("database", *NODES)}


def test_pages_of_machines_and_their_servers_have_a_place_each() -> None:
    ports = [port for one in MACHINES.values() for port in one.get("ports", ())]
    assert ports == ["127.0.0.1:8000:8000", "127.0.0.1:8001:8000"]
    assert set(OF_MACHINES["volumes"]) == {"database", "certificates", *NODES, "one", "two", "cache"}
    assert (len(MACHINES), len(NODES), len(OF_MACHINES["services"])) == (4, 3, 4 + 3 + 2)
    for server in (DATABASE, *NODES.values()):
        assert "ports" not in server, "nobody asks it but these machines"
    assert DATABASE["environment"]["POSTGRES_PASSWORD"].startswith("${PGPASSWORD:?"), "it has to be there"


@pytest.mark.parametrize(
    ("argument", "package"), [("POSTGRESQL", "'psycopg[binary]'"), ("OPENSEARCH", "opensearch-py")]
)
def test_what_servers_need_is_installed_as_by_make(argument: str, package: str) -> None:
    install = f"pip install --quiet --no-compile --constraint constraints.txt {package}\n"
    assert install in (ROOT / "Makefile").read_text("utf-8")
    (said,) = (rest for name, rest in instructions() if name == "RUN" and argument in rest)
    assert said.endswith(f"--constraint constraints.txt {package}")


def test_nodes_are_alike_and_find_each_other() -> None:
    """Of the version that the tests run; each has a volume of its own, and their password has to be there."""
    (version,) = re.findall("<opensearch>(.*)</opensearch>", (ROOT / "tests/opensearch/pom.xml").read_text())
    names = ",".join(NODES)
    for name, node in NODES.items():
        assert node["image"] == f"opensearchproject/opensearch:{version}"
        settings = node["environment"]
        assert settings["node.name"] == name
        assert settings["discovery.seed_hosts"] == settings["cluster.initial_cluster_manager_nodes"] == names
        assert settings["OPENSEARCH_INITIAL_ADMIN_PASSWORD"].startswith(f"${{{PASSWORD_VARIABLE}:?")
        assert [volume.split(":")[0] for volume in node["volumes"]] == [name, "certificates"]
        assert {"mem_limit", "pids_limit", "healthcheck"} <= node.keys()
        assert {key: node[key] for key in node.keys() - {"environment", "volumes"}} == {
            key: NODES["node1"][key] for key in node.keys() - {"environment", "volumes"}
        }


def test_crawl_toml_is_said_to_name_these_servers() -> None:
    said = (ROOT / "deploy/compose.machines.yaml").read_text(encoding="utf-8")
    (database,) = re.findall('#   database = "(.*)"', said)
    (index,) = re.findall('#   index = "(.*)"', said)
    assert urlsplit(parse_database_url(database, "")).hostname == "database"
    location = parse_location(parse_cluster_url(index, "", database))
    assert [host for host, _ in location.nodes] == list(NODES)
    assert location.is_encrypted
    assert location.authority == Path(HOME / "certificates/node.pem")


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl")
def test_the_nodes_certificate_is_made_once_and_for_their_names(tmp_path: Path) -> None:
    *shell, script = OF_MACHINES["services"]["certificates"]["entrypoint"]
    line = [*shell, script.replace("/certificates", shlex.quote(str(tmp_path))).replace("chown 1000", "ls")]
    subprocess.run(line, check=True, capture_output=True)
    made = (tmp_path / "node.pem").read_bytes()
    certificate = x509.load_pem_x509_certificate(made)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [*NODES, "localhost"]
    assert certificate.subject.rfc4514_string() == NODES["node1"]["environment"]["plugins.security.nodes_dn"]
    assert (tmp_path / "node.key").stat().st_mode & 0o077 == 0
    ssl.create_default_context(cafile=str(tmp_path / "node.pem")).load_cert_chain(
        tmp_path / "node.pem", tmp_path / "node.key"
    )
    subprocess.run(line, check=True, capture_output=True)
    assert (tmp_path / "node.pem").read_bytes() == made
