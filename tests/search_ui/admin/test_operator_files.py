"""Synonyms, pins, labels: a change is whole, checked as the search reads it, never lost to another's."""

import stat
from collections.abc import Callable

import pytest

from engine.suggest import synonyms
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import attribute, texts

PAGES = {
    "/admin/synonyms": "synonyms.tsv",
    "/admin/pins": "pins.tsv",
    "/admin/labels": "labels.tsv",
}
GOOD = {
    "/admin/synonyms": "os\toperating system",
    "/admin/pins": "hours\thttp://h.example/",
    "/admin/labels": "Manuals\tdocs.example.org/the",
}


def save(operator: Operator, page: str, text: str) -> tuple[int, str]:
    """Sends what a browser sends; the status, and what the next page says."""
    shown = operator.get(page).text
    fields = {"text": text, "version": attribute(shown, "input[name=version]", "value") or ""}
    answer = operator.post(page, {**fields, "token": operator.token()})
    following = operator.get(answer.headers["location"]) if answer.status_code == 303 else answer
    return answer.status_code, " ".join(texts(following.text, ".note"))


@pytest.mark.parametrize("page", PAGES)
def test_what_is_typed_is_saved(full: Operator, page: str) -> None:
    path = full.folder / PAGES[page]
    status, said = save(full, page, f"# ours\r\n{GOOD[page]}\r\n\r\n{GOOD[page]}two\r\n")
    assert (status, said) == (303, f"{PAGES[page]}: 2 lines, 0 before")
    assert path.read_bytes() == f"# ours\n{GOOD[page]}\n\n{GOOD[page]}two\n".encode()
    assert not [one for one in full.folder.iterdir() if one.name.endswith(".draft")]
    assert texts(full.get(page).text, "textarea")[0].startswith("# ours")
    assert save(full, page, "")[1] == f"{PAGES[page]}: 0 lines, 2 before"
    assert stat.S_ISREG(path.stat().st_mode)
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("typed", "saved", "why"),
    [
        ("a | b  |  c", "a\tb\tc\n", "bars for tabs"),
        ("a\tb | c", "a\tb | c\n", "a line that has a tab has no other"),
        ("a|b\tc\n# x | y", "a|b\tc\n# x | y\n", "neither within a word nor in a comment"),
        ("\r\n\r\na\tb\r\r\n", "a\tb\n", "no empty lines around it"),
    ],
)
def test_tabs_and_ends_of_lines(full: Operator, typed: str, saved: str, why: str) -> None:
    assert save(full, "/admin/synonyms", typed)[0] == 303
    assert (full.folder / "synonyms.tsv").read_bytes() == saved.encode(), why


@pytest.mark.parametrize(
    ("page", "typed", "says", "why"),
    [
        ("/admin/synonyms", "os\n", "line 1: write words, a tab", "one side alone"),
        ("/admin/synonyms", "a\tb\n" + "\t".join("abcdefghi"), "line 2: write words, a tab", "too many"),
        ("/admin/synonyms", "a\tb\n" * 5_001, "at most 5,000 lines", "more than are read"),
        ("/admin/pins", "hours http://h.example/", "line 1: write a query, a tab", "no tab"),
        ("/admin/pins", "hours\tnowhere", "line 1: write a URL that can be used", "no URL"),
        ("/admin/labels", "Manuals", "line 1: write a label of 1 to 60 letters, a tab", "no site"),
        ("/admin/labels", "M\ta b", "line 1: write sites with tabs", "no site either"),
        (
            "/admin/labels",
            f"{'M' * 61}\ta.example",
            "line 1: write a label of 1 to 60",
            "too long for a menu",
        ),
        (
            "/admin/labels",
            "\u202eM\ta.example",
            "line 1: write a label of 1 to 60",
            "nothing that turns the menu",
        ),
        ("/admin/labels", "M\ta.example\n" * 51, "at most 50 lines", "each is looked up for each query"),
        ("/admin/pins", "\n".join(["x"] * 30), "; and more lines", "two are told"),
    ],
)
def test_what_would_be_skipped_is_not_saved(
    full: Operator, page: str, typed: str, says: str, why: str
) -> None:
    path = full.folder / PAGES[page]
    path.write_text(f"{GOOD[page]}\n")
    status, said = save(full, page, typed)
    assert (status, says in said) == (422, True), why
    assert path.read_text() == f"{GOOD[page]}\n"


def test_what_was_typed_is_shown_again(full: Operator) -> None:
    shown = full.get("/admin/synonyms").text
    version = attribute(shown, "input[name=version]", "value") or ""
    fields = {"text": "lonely </textarea><script>", "version": version, "token": full.token()}
    answer = full.post("/admin/synonyms", fields)
    assert "lonely &lt;/textarea&gt;&lt;script&gt;" in answer.text


def test_what_was_there_is_kept_beside_it(full: Operator) -> None:
    path = full.folder / "synonyms.tsv"
    for text, before in (("a\tb", ""), ("c\td", "a\tb\n"), ("c\td", "a\tb\n"), ("", "c\td\n")):
        assert save(full, "/admin/synonyms", text)[0] == 303
        assert path.with_name("synonyms.tsv.before").read_text() == before, text


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda operator: (operator.folder / "synonyms.tsv").write_text("a\tb\n"), "on the machine"),
        (lambda operator: save(operator, "/admin/synonyms", "a\tb"), "in another window"),
    ],
)
def test_a_change_in_between_is_not_lost(
    full: Operator, change: Callable[[Operator], object], why: str
) -> None:
    version = attribute(full.get("/admin/synonyms").text, "input[name=version]", "value") or ""
    change(full)
    answer = full.post("/admin/synonyms", {"text": "c\td", "version": version, "token": full.token()})
    assert (answer.status_code, "was changed meanwhile" in answer.text) == (422, True), why
    assert "c\td" in answer.text
    assert (full.folder / "synonyms.tsv").read_text() == "a\tb\n"


@pytest.mark.parametrize(
    ("octets", "status", "says", "why"),
    [
        (b"\xff\xfe", 503, "is not UTF-8", "no text"),
        (b"a\tb\n" * 300_000, 503, "more than 1,000,000 bytes", "too long"),
        (b"alone\na\tb\n", 200, "Line 1: write words, a tab", "a broken line, written on the machine"),
        (b"\xef\xbb\xbfa\tb\r\n", 200, "a\tb\n</textarea>", "of another system's editor"),
    ],
)
def test_files_as_they_are(full: Operator, octets: bytes, status: int, says: str, why: str) -> None:
    (full.folder / "synonyms.tsv").write_bytes(octets)
    answer = full.get("/admin/synonyms")
    assert (answer.status_code, says in answer.text) == (status, True), why


def test_searches_follow(full: Operator) -> None:
    save(full, "/admin/synonyms", "spider\tarachnid")
    assert synonyms.read_synonyms(full.folder, 0.5)().lines == (("spider", "arachnid"),)
