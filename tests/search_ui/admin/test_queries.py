"""What is asked most: only where it is kept, and only what several asked."""

from engine.suggest import past_queries
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_the_most_asked(full: Operator) -> None:
    shown = full.get("/admin/queries").text
    assert texts(shown, "tbody th")[0] == "spider"
    assert len(texts(shown, "tbody tr")) == 2, "what two clients asked might be one person's"
    assert "rare" not in shown
    (full.folder / past_queries.FILE).unlink()
    assert "No query was asked by clients of 3 networks" in full.get("/admin/queries").text


def test_nothing_is_shown_without_consent(full: Operator) -> None:
    (full.folder / "crawl.toml").write_text("", encoding="utf-8")
    shown = full.restarted().get("/admin/queries").text
    assert "Nothing is kept of what people ask." in shown
    assert "spider" not in shown
