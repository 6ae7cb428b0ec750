"""Labels, as crawl.toml has them."""

from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_what_crawl_toml_says(full: Operator) -> None:
    assert "There are none." in full.get("/admin/labels").text
    label = '[[label]]\nname = "Manuals"\nsites = ["docs.example.org", "www.example.org/docs"]\n'
    (full.folder / "crawl.toml").write_text(label, encoding="utf-8")
    shown = full.restarted().get("/admin/labels").text
    assert "in the menu “Collection”" in shown, "what people see it as"
    rows = texts(shown, "tbody tr")
    assert [" ".join(row.split()) for row in rows] == ["Manualsdocs.example.org, www.example.org/docs"]
