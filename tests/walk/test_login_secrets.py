"""Secrets are in no file of the data folder, no log and no output, whatever becomes of the crawl."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from engine.config import load_config
from engine.login import open_logins
from tests.running import command, run_apart, running, until
from tests.walk.logins import KINDS, write_toml
from tests.web.private import SESSION, USER, FormSite, PrivateSite
from tests.web.scripted import Answer, Site

pytestmark = pytest.mark.slow


def spellings(secret: str) -> list[bytes]:
    """How a secret may be written."""
    plain = [secret, quote(secret), quote_plus(secret), repr(secret)[1:-1], secret.encode().hex()]
    packed = [base64.b64encode(text.encode()).decode().rstrip("=") for text in (secret, f"{USER}:{secret}")]
    return [text.encode() for text in (*plain, *packed, SESSION)]


def find(secret: str, folder: Path, *outputs: str) -> Iterator[tuple[str, bytes]]:
    """Where a secret is, in a folder or in what was printed; and how it is written."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != "crawl.toml"]
    contents = {str(file): file.read_bytes() for file in files}
    contents |= {f"output {number}": text.encode() for number, text in enumerate(outputs)}
    for name, content in contents.items():
        for spelling in spellings(secret):
            if spelling in content:
                yield name, spelling


def log_of_crawl(folder: Path, site: Site) -> str:
    """The log of a whole crawl at its most talkative."""
    options = ["-L", "DEBUG", "-s", "LOG_LEVEL=DEBUG"]
    done = run_apart([*command(folder, "crawl", "web"), *options, "-a", f"seeds={site.url()}", "-a", "own=1"])
    assert done.returncode == 0
    return done.stdout + done.stderr


COMMANDS = [
    ("status", "--hosts"),
    ("report",),
    ("alerts", "--json"),
    ("failed",),
    ("check",),
    ("plan",),
    ("search", "page"),
]


def all_outputs(folder: Path, site: Site) -> list[str]:
    """What every command prints that prints something of a crawl."""
    host, page = site.url(""), site.url("/page1")
    words = [*COMMANDS, ("trace", host), ("explain", page), ("explain", site.url("/login")), ("robots", page)]
    words += [("export", str(folder / "pages.jsonl")), ("export", str(folder / "links.tsv"))]
    outputs = []
    for one in words:
        done = run_apart(command(folder, *one))
        assert "usage" not in (done.stdout + done.stderr).lower(), one
        outputs.append(done.stdout + done.stderr)
    return outputs


@pytest.mark.parametrize("fails", [False, True], ids=["works", "fails"])
@pytest.mark.parametrize("name", KINDS)
def test_no_secret_is_anywhere_after_a_crawl(tmp_path: Path, name: str, fails: bool) -> None:
    kind, data = KINDS[name], tmp_path / "data"
    data.mkdir()
    with kind.site(tmp_path) as site:
        if fails and isinstance(site, FormSite):
            site.secret = "another"
        elif fails and isinstance(site, PrivateSite):
            site.admits = lambda _: False
        write_toml(data, site, kind.toml(tmp_path, site))
        log = log_of_crawl(data, site)
        assert ("the login to" in log) is fails
        assert list(find(kind.secret, data, log, *all_outputs(data, site))) == []
        assert list(find(kind.secret, tmp_path)) != [], "else nothing would be found where something is"


def test_a_killed_crawl_leaves_no_secret_either(tmp_path: Path) -> None:
    """Answers are in its journal, as they came."""
    kind, data = KINDS["form"], tmp_path / "data"
    data.mkdir()
    with kind.site(tmp_path) as site:
        slow = {
            path: replace(page, delay=0.3) for path, page in site.routes.items() if isinstance(page, Answer)
        }
        site.routes.update(slow)
        write_toml(data, site, kind.toml(tmp_path, site))
        with running(data, "crawl", "web", "-a", f"seeds={site.url()}", "-a", "own=1") as process:
            until(lambda: "/page2" in site.paths, "some pages")
            process.kill()
            process.wait()
        assert list(data.glob("*journal*"))
        assert list(find(kind.secret, data)) == []


def test_the_secret_is_not_in_a_value_that_is_printed(tmp_path: Path) -> None:
    """By repr() of the configuration, of a session, of a request under way."""
    for name in KINDS:
        kind = KINDS[name]
        with kind.site(tmp_path) as site:
            write_toml(tmp_path, site, kind.toml(tmp_path, site))
            config = load_config({"DATA_DIR": tmp_path, "CRAWL_TOML": tmp_path / "crawl.toml"})
            session = open_logins(config, {}).find(site.url(""))
            assert kind.secret not in repr((config, session))
