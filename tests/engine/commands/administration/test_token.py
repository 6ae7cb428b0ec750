"""`scrapy token`: makes, lists and removes tokens."""

import json
import stat
from pathlib import Path

import pytest

from engine.commands.administration.token import Command
from engine.database import RECRAWL, write_side
from engine.submission.tokens import find_token
from tests.engine.commands.test_submit import TOML
from tests.running import here

ADD = ("add", "deploy", "--site", "h.example")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a crawl.toml for http://h.example/."""
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    return tmp_path


def test_a_token_is_made_listed_and_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), folder, "list") == 0
    assert capsys.readouterr().out == "no tokens: 'scrapy token add NAME --site HOST' makes one\n"
    assert here(Command(), folder, *ADD, "--site", "http://h.example/docs/*", "--per-hour", "2000") == 0
    secret, said, line = capsys.readouterr().out.splitlines()
    with write_side(folder, RECRAWL) as ledger:
        found = find_token(ledger, secret, 1_800_000_000.0)
    assert found
    assert (found.name, found.per_hour) == ("deploy", 2_000)
    assert said == "this is shown once, and only its hash is kept"
    assert line == "deploy: h.example, http://h.example/docs/*, 2,000 URLs an hour, not used yet"
    assert here(Command(), folder, "list") == 0
    shown = capsys.readouterr().out
    assert shown == line.replace("not used yet", "used last at 2027-01-15T08:00:00+00:00") + "\n"
    assert here(Command(), folder, "list", "--json") == 0
    (token,) = json.loads(capsys.readouterr().out)["tokens"]
    assert (token["name"], token["urls_per_hour"], "token" in token) == ("deploy", 2_000, False)
    assert here(Command(), folder, "remove", "deploy") == 0
    assert capsys.readouterr().out == "token 'deploy' is removed\n"
    with write_side(folder, RECRAWL) as ledger:
        assert find_token(ledger, secret, 0.0) is None


def test_json_has_the_token_for_a_script(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), folder, *ADD, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    with write_side(folder, RECRAWL) as ledger:
        assert find_token(ledger, said["token"], 0.0)
    assert said["urls_per_hour"] == 1_000


@pytest.mark.sqlite
def test_the_file_is_its_owners_alone(folder: Path) -> None:
    assert here(Command(), folder, *ADD) == 0
    assert stat.S_IMODE((folder / RECRAWL.file).stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize(
    ("words", "says", "why"),
    [
        (("add", "deploy"), "name the sites", "a token for all sites is none"),
        (("add", "a", "--site", "other.example"), "no [[site]] of crawl.toml includes it", "out of scope"),
        (("add", "a", "--site", "http://h.example/page"), "write a host, or a prefix", "one page"),
        (("add", "a", "--site", "http://"), "write a URL", "no host"),
        ((*ADD, "--per-hour", "0"), "write a number from 1 to", "no rate"),
        ((*ADD, "--per-hour", "10000000"), "write a number from 1 to", "no bound"),
        (("remove", "none"), "there is no token 'none'", "unknown"),
    ],
)
def test_what_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str, why: str
) -> None:
    assert here(Command(), folder, *words) == 2
    assert says in capsys.readouterr().err, why


@pytest.mark.parametrize("scope", ["any", "prefix"])
def test_sites_within_a_scope(folder: Path, capsys: pytest.CaptureFixture[str], scope: str) -> None:
    toml = TOML.replace("own = true", f'own = true\nscope = "{scope}"')
    (folder / "crawl.toml").write_text(toml, encoding="utf-8")
    code = here(Command(), folder, "add", "deploy", "--site", "docs.h.example")
    assert code == 2 * (scope == "prefix"), capsys.readouterr().err
