"""Quarantine: a page on which secrets stand is not kept; the operator hears of it and may let it in."""

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.commands.explain import Command as Explain
from engine.commands.quarantine import Command
from engine.config import ScreeningConfig
from engine.model.secret import Secret
from engine.report.summary import census_object, crawl_summary
from engine.workers.body import read_body
from engine.workers.readers import ReaderPool
from tests.crawling import HOST, states
from tests.engine.text.screening.test_secrets import KEY, VISA, pem
from tests.engine.workers.test_page_screen import crawled, hits
from tests.running import here

LEAK = f"{HOST}/backup"
PRIVATE = pem("PRIVATE KEY", KEY).encode()
BODY = b"<title>Old things</title><p>The anchor of the ship.<p>" + PRIVATE
WITH_CARD = BODY + f"<p>card {VISA}".encode()
STORED, HELD = ("stored", ""), ("skipped", "quarantine: private key")


def quarantine(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert here(Command(), folder, "--json", *words) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


@pytest.mark.requirement(284)
def test_a_page_with_a_secret_is_not_kept(tmp_path: Path) -> None:
    """Nothing of it is found, nor stands in any file; what it links to is."""
    with closing(crawled(tmp_path, {"/backup": BODY, "/ship": b"<p>Another anchor."})) as store:
        assert store.census().pages == 2
        assert hits(tmp_path, "anchor") == ["/ship"]
        assert hits(tmp_path, "things") == []
        assert "1 page quarantined (contains secrets): scrapy quarantine" in crawl_summary(store, tmp_path, 1)
        assert census_object(store, tmp_path)["quarantine"] == 1
    assert states(tmp_path)[LEAK] == HELD
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY[:40].encode() in octets or b"The anchor of" in octets for octets in files)


@pytest.mark.requirement(284)
def test_the_report_names_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """URL, kinds and place, for people and as JSON."""
    crawled(tmp_path, {"/backup": WITH_CARD, "/z": b"<p>Nothing."}).close()
    (one,) = quarantine(tmp_path, capsys)["quarantine"]
    assert (one["url"], one["kinds"], one["line"]) == (LEAK, ["card number", "private key"], 2)
    assert one["found_at"].startswith("2027-01-15T08:")
    assert here(Command(), tmp_path) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        f"{LEAK}\n    card number, private key: the first in line 2 of its text, found 20"
    )
    assert here(Explain(), tmp_path, LEAK) == 0
    said = capsys.readouterr().out
    assert "a rule of the crawl excludes it: quarantine: card number, private key\n" in said
    assert (
        "quarantine    card number, private key: the first in line 2 of its text; 'scrapy quarantine" in said
    )
    assert KEY[:20] not in shown + said
    assert VISA not in shown + said


@pytest.mark.requirement(284)
def test_what_is_released_is_kept_from_its_next_visit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A manual may have an example that looks real. Another kind of secret is held again."""
    crawled(tmp_path, {"/backup": BODY}).close()
    assert quarantine(tmp_path, capsys, "--release", LEAK)["released"]["url"] == LEAK
    assert quarantine(tmp_path, capsys)["quarantine"] == []
    assert states(tmp_path)[LEAK][0] == "queued"
    with closing(crawled(tmp_path, {"/backup": BODY})):
        assert hits(tmp_path, "anchor") == ["/backup"]
    assert states(tmp_path)[LEAK] == STORED
    assert here(Explain(), tmp_path, LEAK) == 0
    assert "in line 2 of its text; released 20" in capsys.readouterr().out
    with closing(crawled(tmp_path, {"/backup": WITH_CARD})):
        assert hits(tmp_path, "anchor") == []
    assert states(tmp_path)[LEAK] == ("skipped", "quarantine: card number, private key")


@pytest.mark.requirement(284)
def test_a_page_that_was_mended_leaves_quarantine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And one that begins to leak leaves the index."""
    good = b"<title>Old things</title><p>The anchor of the ship."
    for body, found, held in ((good, ["/backup"], 0), (BODY, [], 1), (good, ["/backup"], 0)):
        with closing(crawled(tmp_path, {"/backup": body})):
            assert hits(tmp_path, "anchor") == found
        assert len(quarantine(tmp_path, capsys)["quarantine"]) == held


@pytest.mark.requirement(284)
def test_the_operator_may_look_for_none(tmp_path: Path) -> None:
    """[screening] quarantine_secrets = false."""
    with closing(crawled(tmp_path, {"/backup": BODY}, ScreeningConfig(quarantine_secrets=False))):
        assert hits(tmp_path, "anchor") == ["/backup"]


def test_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), tmp_path, "--release", LEAK) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{LEAK} is not in quarantine; 'scrapy quarantine' lists what is" in err
    assert here(Command(), tmp_path) == 0
    assert capsys.readouterr().out == "no page is in quarantine\n"


@pytest.mark.slow
@pytest.mark.requirement(284)
def test_secrets_cross_the_socket() -> None:
    """Kind and line of each."""

    async def work() -> None:
        readers = ReaderPool()
        there = await readers.read(BODY, LEAK, "text/html", [])
        readers.close()
        assert there.secrets == read_body(BODY, LEAK, "text/html", []).secrets
        assert there.secrets == (Secret("private key", 2),)

    asyncio.run(asyncio.wait_for(work(), 30))
