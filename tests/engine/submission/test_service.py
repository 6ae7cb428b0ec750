"""What people submit: taken in, kept for the operator, refused; what has become of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.commands import submit
from engine.config import load_config
from engine.database import open_database, write_transaction
from engine.errors import Busy
from engine.report.summary import census_object, crawl_summary
from engine.store import submissions
from engine.store.blocklist import add_block, parse_target
from engine.store.page_store import Store
from engine.submission import (
    DECIDED,
    FULL,
    INCOMPLETE,
    KNOWN,
    PRIVATE,
    QUEUED,
    REFUSED,
    WAITING,
    Stage,
    SubmissionService,
)
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states
from tests.engine.commands.test_submit import TOML, visited
from tests.running import here


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a crawl.toml for one site."""
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    return tmp_path


@pytest.fixture
def service(folder: Path) -> Iterator[SubmissionService]:
    """Where strangers submit, with nothing in the index but what ends in /indexed."""
    service = open_service(folder)
    yield service
    service.close()


def open_service(folder: Path) -> SubmissionService:
    config = load_config({"DATA_DIR": folder, "CRAWL_TOML": folder / "crawl.toml"})
    return SubmissionService(config, lambda url: url.endswith("/indexed"))


@pytest.mark.requirement(7, 8, 283)
@pytest.mark.parametrize(
    ("typed", "outcome", "url", "why"),
    [
        (f"{HOST}/x", QUEUED, f"{HOST}/x", "requirement 7: in scope"),
        ("HTTP://H.Example:80/a/../x#top", QUEUED, f"{HOST}/x", "requirement 8: canonical"),
        (f"{HOST}/x?utm_source=a", QUEUED, f"{HOST}/x", "requirement 8: settled"),
        ("h.example/x", QUEUED, "https://h.example/x", "https is what is meant today"),
        (f"{HOST}/a b\tc\r\n<script>", QUEUED, f"{HOST}/a%20bc%3Cscript%3E", "as browsers read it"),
        ("http://o.example/", WAITING, "http://o.example/", "out of scope: the operator decides"),
        ("http://8.8.8.8/", WAITING, "http://8.8.8.8/", "an address of the open Internet"),
        ("http://bad.h.example/", REFUSED, "removed", "requirement 8: blacklisted, with reason"),
        (f"{HOST}/private/x", REFUSED, "exclude", "the operator has said no already"),
        (f"{HOST}/a.zip", REFUSED, "file type", "what we do not read"),
        (f"{HOST}/.git/config", REFUSED, "sensitive", "requirement 283"),
        ("http://o.example/a.zip", REFUSED, "file type", "nobody need be asked"),
        (f"{HOST}/{'x' * 3_000}", REFUSED, "length", "longer than any URL that we ask for"),
        ("http://127.0.0.1/", REFUSED, PRIVATE, "this machine"),
        ("http://0x7f.1/", REFUSED, PRIVATE, "the same, as C reads it"),
        ("http://2130706433/", REFUSED, PRIVATE, "the same as one number"),
        ("http://[::1]/", REFUSED, PRIVATE, "the same in IPv6"),
        ("http://[::ffff:10.0.0.1]/", REFUSED, PRIVATE, "a private address in disguise"),
        ("http://169.254.169.254/latest/meta-data/", REFUSED, PRIVATE, "where clouds keep their keys"),
        ("http://localhost:8080/", REFUSED, PRIVATE, "RFC 6761, section 6.3"),
        ("http://a.localhost./", REFUSED, PRIVATE, "the same"),
        ("http://router/", REFUSED, PRIVATE, "a name without a dot is one of a local network"),
        ("http://metadata.google.internal/", REFUSED, PRIVATE, "ICANN, 2024: names for private use"),
        ("http://printer.local/", REFUSED, PRIVATE, "RFC 6762"),
        ("hello", REFUSED, INCOMPLETE, "a word is no address"),
        ("hello/world", REFUSED, INCOMPLETE, "nor with a path"),
        ("https//www.example.org/page", REFUSED, INCOMPLETE, "a colon is missing"),
        ("http:/www.example.org/page", REFUSED, INCOMPLETE, "half of it"),
        ("https://https://www.example.org/", REFUSED, INCOMPLETE, "pasted behind a scheme"),
        ("nas.lan", REFUSED, PRIVATE, "RFC 6762, appendix G"),
        ("http://a.home.arpa./", REFUSED, PRIVATE, "RFC 8375"),
        ("http://[64:ff9b::a9fe:a9fe]/", REFUSED, PRIVATE, "a private address behind NAT64"),
        ("http://[fec0::1]/", REFUSED, PRIVATE, "site-local, given up and still routed"),
        ("http://168.63.129.16/", REFUSED, PRIVATE, "a cloud's own services"),
        ("http://[fe80::1%25eth0]/", REFUSED, "Invalid URL", "a zone means nothing elsewhere"),
        ("http://intranet/", WAITING, "http://intranet/", "the operator allows it"),
        ("http://user:secret@h.example/", REFUSED, "user name or password", "who writes it, gives it away"),
        ("ftp://h.example/x", REFUSED, "no http(s) URL", "requirement 8: the scheme"),
        ("javascript:alert(1)", REFUSED, "Invalid URL", "the scheme, again"),
        ("file:///etc/passwd", REFUSED, "no http(s) URL", "and again"),
        ("", REFUSED, "Invalid URL", "nothing"),
        ("http://[/", REFUSED, "Invalid URL", "no URL"),
        ("http://h.example\0.o.example/", REFUSED, "Invalid URL", "a NUL"),
        ("http://\ud800/", REFUSED, "", "half a character"),
    ],
)
def test_what_strangers_may_submit(folder: Path, typed: str, outcome: str, url: str, why: str) -> None:
    (folder / "crawl.toml").write_text(f'allow_private = ["intranet"]\n{TOML}', encoding="utf-8")
    database = open_database(folder)
    with database.begin() as connection:
        add_block(connection, parse_target("http://bad.h.example"), "spam", "", 0.0)
    database.dispose()
    service = open_service(folder)
    done = service.submit(typed)
    service.close()
    assert done.outcome == outcome, why
    assert url in (done.why if outcome == REFUSED else done.url), why
    assert list(states(folder)) == ([url] if outcome == QUEUED else []), why


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(st.text(alphabet=st.characters() | st.sampled_from("htps:/.@#?%[]\0\ud800")))
def test_whatever_is_typed(service: SubmissionService, typed: str) -> None:
    assert service.submit(typed).outcome in (QUEUED, KNOWN, WAITING, REFUSED)


@pytest.mark.requirement(8)
def test_aliases_are_one_entry(folder: Path, service: SubmissionService) -> None:
    typed = [f"{HOST}/x#a", f"{HOST}/%78", "HTTP://H.EXAMPLE:80/x", "http://o.example/#a", "http://o.example"]
    assert [service.submit(one).outcome for one in typed] == [QUEUED, KNOWN, KNOWN, WAITING, WAITING]
    assert states(folder) == {f"{HOST}/x": ("queued", "")}


@pytest.mark.parametrize("toml", ["", "[[site]]\nseeds = ['seeds.txt']"])
def test_where_the_scope_is_not_known_the_operator_decides(tmp_path: Path, toml: str) -> None:
    (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
    service = open_service(tmp_path)
    typed = (f"{HOST}/", f"{HOST}/a.zip")
    assert [service.submit(one).outcome for one in typed] == [WAITING, REFUSED]
    service.close()


def test_no_more_is_taken_than_is_bounded(
    service: SubmissionService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MAX_QUEUED", 2)
    monkeypatch.setattr(submissions, "MAX_WAITING", 2)
    in_scope = [service.submit(f"{HOST}/{number}").outcome for number in (1, 2, 3, 1)]
    assert in_scope == [QUEUED, QUEUED, FULL, KNOWN]
    others = [service.submit(f"http://o.example/{number}").outcome for number in (1, 2, 3, 1)]
    assert others == [WAITING, WAITING, FULL, WAITING]


def test_who_writes_for_long_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.submission.service.BUSY_SECONDS", 0.01)
    service = open_service(folder)
    other = open_database(folder)
    with write_transaction(other):
        with pytest.raises(Busy):
            service.submit(f"{HOST}/x")
        assert service.status(f"{HOST}/x").stage is Stage.UNKNOWN
    other.dispose()
    assert service.submit(f"{HOST}/x").outcome == QUEUED
    service.close()


@pytest.mark.requirement(7)
def test_what_has_become_of_it(folder: Path, service: SubmissionService) -> None:
    rules = {HOST: (200, b"User-agent: *\nDisallow: /secret")}
    web = Web({**chain("/"), f"{HOST}/indexed": [], f"{HOST}/stored": []}, robots=rules)
    names = ("indexed", "stored", "secret", "missing")
    for url in (*(f"{HOST}/{name}" for name in names), "http://o.example/a", "http://o.example/b"):
        service.submit(url)
    assert here(submit.Command(), folder, "--refuse", "http://o.example/b") == 0
    assert service.status(f"{HOST}/stored").stage is Stage.QUEUED
    visited(folder, web, Clock())
    statuses = {name: service.status(f"{HOST}/{name}") for name in (*names, "other")}
    assert {name: fate.stage for name, fate in statuses.items()} == {
        "indexed": Stage.INDEXED,
        "stored": Stage.VISITED,
        "secret": Stage.REFUSED,
        "missing": Stage.VISITED,
        "other": Stage.UNKNOWN,
    }
    assert statuses["missing"].reason == "its host reports that it does not exist"
    assert statuses["secret"].reason == "its owner does not allow Lycosa to fetch it"
    assert service.status("http://o.example/a").stage is Stage.WAITING
    assert service.status("http://o.example/b")[1:3] == (Stage.REFUSED, DECIDED)


POSTING = f"""On Monday somebody wrote:
> New: <URL:{HOST}/from-a-posting>, once more: {HOST}/from-a-posting.
It has moved from http://o.example/old (see http://10.0.0.1/wiki, ftp://h.example/x).
"""


@pytest.mark.requirement(9)
def test_urls_in_prose_are_candidates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three of them, and they go the way of all submissions."""
    (folder / "posting.txt").write_text(POSTING, encoding="utf-8")
    assert here(submit.Command(), folder, "--scan", str(folder / "posting.txt")) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"queued        {HOST}/from-a-posting",
        "waiting       http://o.example/old",
        "refused       http://10.0.0.1/wiki  (private)",
    ]


def test_the_operator_is_told_of_what_waits(folder: Path, service: SubmissionService) -> None:
    service.submit("http://o.example/")
    store = Store(folder)
    assert census_object(store, folder)["submitted"] == 1
    store.close()
    clock = Clock()
    one = crawl_of(folder, clock, own=True)
    run(one, Web(chain("/")), clock)
    said = crawl_summary(one.store, folder, one.run.id)
    one.store.close()
    assert "1 submission awaiting review: scrapy submit --list" in said


@pytest.mark.requirement(7)
def test_the_operator_decides(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The next crawl visits what is accepted; what is refused is not asked about again."""
    (folder / "list.txt").write_text(
        "http://o.example/a http://o.example/b http://spam.example/1 http://spam.example/2", encoding="utf-8"
    )
    assert here(submit.Command(), folder, "--scan", str(folder / "list.txt")) == 0
    capsys.readouterr()
    assert here(submit.Command(), folder, "--list") == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == [
        "http://o.example/a",
        "http://o.example/b",
        "http://spam.example/1",
        "http://spam.example/2",
    ]
    assert here(submit.Command(), folder, "--refuse", "spam.example") == 0
    assert here(submit.Command(), folder, "--accept", "http://o.example/a") == 0
    assert "queued        http://o.example/a  (despite rule: scope)" in capsys.readouterr().out
    assert here(submit.Command(), folder, "--scan", str(folder / "list.txt")) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "known",
        "waiting",
        "refused",
        "refused",
    ]
    web = Web({**chain("/"), "http://o.example/a": ["http://o.example/b"]})
    assert visited(folder, web, Clock()) == [f"{HOST}/", "http://o.example/a"]


def test_no_candidate_is_lost_between_transactions(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "AT_ONCE", 2)
    monkeypatch.setattr(submit, "MAX_SCANNED", 5)
    urls = [f"{HOST}/{number}" for number in range(8)]
    (folder / "list.txt").write_text("\n".join(urls), encoding="utf-8")
    assert here(submit.Command(), folder, "--scan", str(folder / "list.txt")) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == urls[:5]
    assert list(states(folder)) == urls[:5]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--accept", "http://o.example/"), "no submission of it waits; 'scrapy submit --list' lists"),
        (("--refuse", "http://["), "write a URL (https://www.example.org/page), a host"),
        (("--scan", "no-such-file"), "no-such-file: cannot be read"),
    ],
)
def test_what_cannot_be_decided(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert here(submit.Command(), folder, *words) == 2
    assert says in capsys.readouterr().err
