"""What the operator gets wrong: one line that says what and how to mend it, and exit code 2."""

import argparse
import json
import logging
import socket
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from scrapy.settings import Settings

from engine import commands
from engine.command import UnsupportedCommand
from engine.database import SCHEMA_VERSION, open_database
from tests.running import begun_anew, command, scrapy

WEB = ("crawl", "web", "-a", "own=1", "-a")
COMMANDS = sorted(  # in the folders below, too, where Scrapy finds them as well
    one.name for one in walk_packages(commands.__path__, "engine.commands.") if not one.ispkg
)


def refused(data: Path, *words: str) -> str:
    """The one line of a command that ends with exit code 2."""
    done = scrapy(data, *words, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((*WEB, "seeds=ftp://x"), "unusable seed 'ftp://x'"),
        ((*WEB, "seeds=http://"), "unusable seed 'http://'"),
        ((*WEB, "seeds=no-such-file"), "'no-such-file' is no http(s) URL and no file"),
        (
            (*WEB, "seeds=http://a.example/", "-a", "scope=planet"),
            "-a scope: unknown 'planet'; write one of host",
        ),
        ((*WEB, "seeds=http://a.example/", "-a", "include=("), "is not a regular expression"),
        (
            (*WEB, "seeds=http://a.example/", "-a", "max_pages=many"),
            "-a max_pages=many: write a whole number",
        ),
        (
            (*WEB, "seeds=http://a.example/", "-a", "max_depth=0"),
            "-a max_depth=0: write a whole number",
        ),
        ((*WEB, "seeds=http://a.example/", "-a", "depth=3"), "-a depth: unknown; write one of seeds"),
        (("crawl", "web"), "nothing to crawl: give -a seeds="),
        (("crawl", "spider"), "there is no spider 'spider'"),
        (("crawl", "web", "-a", "seeds=http://a.example/"), "-s CONTACT=you@example.org"),
        ((*WEB, "seeds=http://a.example/", "-o", "x.json"), "name a file that ends in .jsonl or .tsv"),
        ((*WEB, "seeds=http://a.example/", "-Ox.json"), "name a file that ends in .jsonl or .tsv"),
        (
            ("view", "http://a.example/"),
            "Lycosa has no 'view', since a browser would run a stranger's scripts",
        ),
        (("view", "--nolog", "http://a.example/"), "Lycosa has no 'view'"),
        (("runspider", "x.py"), "Lycosa has no 'runspider'"),
        (("parse", "http://a.example/", "--spider", "none"), "there is no spider 'none'"),
        (("check", "none"), "there is no spider 'none'"),
        (("search", "words"), "scrapy crawl web"),
        (("remove", "https://h.example/"), "give a reason with --reason"),
        (("remove", "h.example/a", "--reason", "x"), "'h.example/a': no name of a host; write a URL"),
        (("remove", "--undo", "3"), "there is no removal 3 in force"),
        (("schedule",), "no [schedule] with times"),
        (("serve", "--port", "99999"), "choose another with --port"),
        (("serve", "--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_input(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    assert says in refused(tmp_path, *words)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("contact = 1", "crawl.toml, line 1: contact: write text in quotes"),
        ("[[site]]\nseeds = ['ftp://x']", "unusable seed 'ftp://x'"),
        ("[[site]]\nseeds = ['http://a.example/']", "is not your own site: tell its owner who crawls"),
        (
            "[ranking]\nsame_domain_pivot = -1",
            "crawl.toml, line 2: same_domain_pivot: write a number from 0 to 100",
        ),
    ],
)
def test_bad_crawl_toml(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "crawl.toml").write_text(text, encoding="utf-8")
    assert says in refused(tmp_path, "crawl", "web")


def test_bad_times(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text('[schedule]\ncrawl = "61 * * * *"', encoding="utf-8")
    assert 'crawl = "61 * * * *"' in refused(tmp_path, "schedule")


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"cannot listen on 127.0.0.1:{port}" in refused(tmp_path, "serve", "--port", port)


@pytest.mark.parametrize("words", [(*WEB, "seeds=http://a.example/"), ("serve",), ("rebuild",), ("status",)])
def test_a_database_of_a_newer_version(tmp_path: Path, words: tuple[str, ...]) -> None:
    engine = open_database(tmp_path)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    engine.dispose()
    assert "written by a newer Lycosa" in refused(tmp_path, *words)


@pytest.mark.parametrize("words", [(*WEB, "seeds=http://a.example/"), ("serve",), ("rebuild",), ("status",)])
def test_a_folder_that_is_a_file(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="ascii")
    assert "cannot write to the data folder" in refused(file, *words)


def test_a_log_gives_no_orders_to_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def act(*_: object) -> None:
        make = logging.getLogRecordFactory()
        said.append(make("lycosa", logging.INFO, "a", 1, "%s", ("\x1b[2J",), None).getMessage())

    asked = import_module("engine.commands.init").Command()
    asked.settings = Settings({"DATA_DIR": str(tmp_path)})
    monkeypatch.setattr(asked, "act", act)
    usual = logging.getLogRecordFactory()
    try:
        asked.run([], argparse.Namespace())
    finally:
        logging.setLogRecordFactory(usual)
    assert said == [r"\x1b[2J"]


def test_init_writes_an_example_once(tmp_path: Path) -> None:
    assert "crawl.toml written" in scrapy(tmp_path, "init").stdout
    assert "is there already" in refused(tmp_path, "init")
    assert "nobody" not in (tmp_path / "crawl.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", COMMANDS)
def test_help_has_an_example(module: str) -> None:
    parser, name = argparse.ArgumentParser(conflict_handler="resolve"), module.rpartition(".")[2]
    asked = import_module(module).Command()
    asked.settings = Settings()
    asked.add_options(parser)
    says = "Example: scrapy" if isinstance(asked, UnsupportedCommand) else f"Example: scrapy {name}"
    assert says in " ".join(parser.format_help().split())


def test_help_is_shown(tmp_path: Path) -> None:
    assert "Example: scrapy status" in scrapy(tmp_path, "status", "--help").stdout


def test_status_of_nothing(tmp_path: Path) -> None:
    census = json.loads(scrapy(tmp_path, "status", "--json").stdout)
    assert {census[name] for name in ("pages", "indexed", "queued", "hosts", "errors", "bytes")} == {0}
    assert "never" in scrapy(tmp_path, "status").stdout


@pytest.mark.slow
def test_the_schedule_says_what_comes_next(tmp_path: Path) -> None:
    times = '[schedule]\ncrawl = "0 3 * * *"\nrebuild = "0 4 1 * *"'
    (tmp_path / "crawl.toml").write_text(times, encoding="utf-8")
    with begun_anew(tmp_path, "schedule") as process:
        assert process.stdout
        said = process.stdout.readline() + process.stdout.readline()
    assert "next crawl: " in said
    assert "next rebuild: " in said
    assert command(tmp_path, "schedule")
