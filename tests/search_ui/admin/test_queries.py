"""What is asked most, and in vain: only where it is kept, and only what several asked."""

from urllib.parse import quote

import pytest

from engine.suggest import past_queries
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.full_folder import HOSTILE
from tests.search_ui.pages.test_search_pages import attribute, first, texts

HEADS = "main h2, tbody th"


def test_both_kinds(full: Operator) -> None:
    shown = full.get("/admin/queries").text
    heads = texts(shown, HEADS)
    assert heads[:3] == ["Without results", "tarantula", "evnt loop"]
    assert heads[-3:-1] == ["Most asked", "spider"]
    assert len(texts(shown, "tbody tr")) == 4
    assert "rare" not in shown, "what two clients asked might be one person's"
    for name in (past_queries.FILE, past_queries.UNANSWERED_FILE):
        (full.folder / name).unlink()
    assert texts(full.get("/admin/queries").text, "main p").count("None so far.") == 2


@pytest.mark.parametrize(
    ("toml", "has", "hasnt", "why"),
    [
        ("", [], ["spider", "tarantula"], "without consent nothing is shown"),
        ("[serve]\npast_queries = true\n", ["spider"], ["tarantula"], "one consent is not the other"),
        ("[serve]\nunanswered_query_days = 7\n", ["tarantula"], ["spider"], "nor the other way round"),
        ("[serve]\nunanswered_query_days = 1\n", ["tarantula"], ["evnt loop"], "of the days that are named"),
    ],
)
def test_nothing_is_shown_without_consent(
    full: Operator, toml: str, has: list[str], hasnt: list[str], why: str
) -> None:
    (full.folder / "crawl.toml").write_text(toml, encoding="utf-8")
    shown = full.restarted().get("/admin/queries").text
    assert [words for words in has if words not in shown] == [], why
    assert [words for words in hasnt if words in shown] == [], why


@pytest.mark.parametrize("page", ["synonyms", "pins"])
def test_a_query_becomes_the_beginning_of_a_line(full: Operator, page: str) -> None:
    """It is saved with the rest, once it is complete."""
    (full.folder / f"{page}.tsv").write_text("a\thttp://a.example/", encoding="utf-8")
    links = texts(full.get("/admin/queries").text, "tbody a")
    assert "Add a synonym for tarantula" in [" ".join(link.split()) for link in links]
    shown = full.get(f"/admin/{page}?add=evnt+loop").text
    typed = first(shown, "textarea").text().rstrip("\n")
    assert typed == "a\thttp://a.example/\nevnt loop | "
    version = attribute(shown, "input[name=version]", "value") or ""
    answer = full.act(f"/admin/{page}", text=f"{typed}http://h.example/", version=version)
    assert answer.status_code == 303
    saved = (full.folder / f"{page}.tsv").read_text(encoding="utf-8")
    assert saved == "a\thttp://a.example/\nevnt loop\thttp://h.example/\n"


@pytest.mark.parametrize(
    ("added", "line", "why"),
    [
        (HOSTILE, '"><script>alert(1)</script>\\u202e | ', "text, whatever it is"),
        ("a\nb\tc", "a b c | ", "one line"),
        ("# a", " a | ", "no comment"),
        (" ", "", "nothing"),
        ("a" * 400, "a" * 300 + "… | ", "cut"),
    ],
)
def test_what_is_begun_is_text(full: Operator, added: str, line: str, why: str) -> None:
    answer = full.get(f"/admin/synonyms?add={quote(added)}")
    typed = first(answer.text, "textarea").text()
    assert typed.lstrip("\n") == line, why
