"""Which responses are kept, where they are, and what a kill or a full disk leaves."""

from collections import Counter
from pathlib import Path

import pytest

from engine.model import Claim, Fetch, Purpose, Reading, State, Visit
from engine.responses import KeptIndex, KeptResponses, find_files, keeping
from engine.responses.keeping import may_keep
from engine.robots import Directives
from engine.store import Journal, JournaledResponse
from engine.warc import read_captures
from tests.warcs import AT, URL

CLAIM = Claim(1, URL, "http://a.test")


def visit(
    state: State,
    status: int = 200,
    asks: Directives | None = None,
    *,
    reason: str = "",
    number: int = 1,
) -> Visit:
    """A visit of a URL: of a page that was read, where it has directives."""
    reading = Reading("en", "text/html", asks, b"x", (), b"") if asks else None
    claim = Claim(number, f"{URL}{number}", "http://a.test")
    return Visit(Fetch(claim, status, at=AT), state, reason, reading)


PLAIN, NO_COPIES, NO_ENTRY = Directives(), Directives(archive=False), Directives(index=False)
KEPT = [
    (visit(State.STORED, asks=PLAIN), True, "a page"),
    (visit(State.STORED, asks=NO_COPIES), False, "its owner wants no copies"),
    (visit(State.ALIAS, 301, reason="redirect"), True, "a redirect"),
    (visit(State.ALIAS, asks=PLAIN, reason="redirect"), True, "META refresh"),
    (
        visit(State.ALIAS, asks=NO_COPIES, reason="redirect"),
        False,
        "META refresh, of which none shall be kept",
    ),
    (visit(State.ALIAS, asks=NO_ENTRY, reason="redirect"), False, "META refresh, for which none is to ask"),
    (visit(State.ALIAS, reason="redirect"), False, "META refresh of a page with secrets"),
    (visit(State.ALIAS, asks=PLAIN, reason="canonical"), True, "its owner prefers another URL"),
    (visit(State.ALIAS, asks=PLAIN, reason="duplicate"), True, "a copy"),
    (visit(State.ALIAS, asks=Directives(follow=False), reason="duplicate"), True, "a copy that never stands"),
    (visit(State.ALIAS, asks=NO_COPIES, reason="duplicate"), False, "a copy that no one else shall have"),
    (visit(State.NOINDEX, asks=NO_ENTRY), False, "noindex"),
    (visit(State.SKIPPED, asks=PLAIN), False, "secrets, a type that is not read"),
    (visit(State.GONE, 404), False, "no page"),
    (Visit(Fetch(Claim(1, URL, "", kind=Purpose.SITEMAP), 200), State.STORED), False, "a sitemap"),
    (Visit(Fetch(CLAIM, 304), State.STORED, unchanged=True), False, "304: it is kept already"),
]


@pytest.mark.parametrize(("seen", "expected", "why"), KEPT, ids=[why for *_, why in KEPT])
def test_which_responses_are_kept(seen: Visit, expected: bool, why: str) -> None:
    assert may_keep(seen) is expected, why


def journal_of(*bodies: bytes) -> Journal:
    """A journal with the responses of URLs 1, 2, ..."""
    journal = Journal()
    journal.allow(10**7, 10**8)
    for number, body in enumerate(bodies, 1):
        journal.note_request(number, f"{URL}{number}")
        journal.note_response(number, JournaledResponse(f"{URL}{number}", 200, (), body, at=AT))
    return journal


def test_files_are_of_one_size_and_never_appended_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MAX_FILE", 900)
    for _ in range(2):
        kept = KeptResponses(tmp_path, 7, journal_of(b"a", b"b", b"c", b"d"), "x")
        for number in (1, 2, 3, 4):
            kept.keep(visit(State.STORED, asks=PLAIN, number=number))
        kept.flush()
        kept.close()
    files = find_files(tmp_path)
    assert len(files) > 2
    assert all(path.stat().st_size <= 900 and path.stat().st_mode & 0o777 == 0o600 for path in files)
    urls = [one.capture.url for path in files for one in read_captures(path, Counter())]
    assert urls == [f"{URL}{number}" for number in (1, 2, 3, 4)] * 2


def test_what_a_kill_tore_is_not_found(tmp_path: Path) -> None:
    kept = KeptResponses(tmp_path, 7, journal_of(b"a", b"b"), "x")
    kept.keep(visit(State.STORED, asks=PLAIN, number=1))
    kept.keep(visit(State.STORED, asks=PLAIN, number=2))
    kept.close()
    [path] = find_files(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    index = KeptIndex(tmp_path)
    assert index.find(f"{URL}1", AT)
    assert not index.find(f"{URL}1", AT + 1), "another visit's"
    assert not index.find(f"{URL}2", AT)
    index.close()


def test_a_disk_that_refuses_ends_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "responses").write_text("no folder")
    kept = KeptResponses(tmp_path, 7, journal_of(b"a"), "x")
    kept.keep(visit(State.STORED, asks=PLAIN))
    kept.close()
    assert "responses are not kept" in caplog.text


def test_what_is_not_in_the_journal_is_not_kept(tmp_path: Path) -> None:
    kept = KeptResponses(tmp_path, 7, Journal(), "x")
    kept.keep(visit(State.STORED, asks=PLAIN))
    kept.close()
    assert find_files(tmp_path) == []


def test_what_is_not_kept_is_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A body for which there was no room; not what its owner wants no copy of."""
    kept = KeptResponses(tmp_path, 7, journal_of(b"a"), "x")
    for number in (1, 2, 3):
        kept.keep(visit(State.STORED, asks=PLAIN, number=number))
    kept.keep(visit(State.STORED, asks=NO_COPIES, number=4))
    kept.close()
    assert caplog.messages == ["2 responses are not kept, as too many were under way at once"]
