"""Labels: those of a file, which are edited here, and those of crawl.toml."""

from contextlib import closing
from pathlib import Path

from engine.admin import save_password
from engine.index.indexing.follow import Follower
from engine.index.searching.labels import read_labels
from engine.model.narrowing import SearchFilters
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.running import until
from tests.search_ui.admin.conftest import PASSWORD, Operator, make_app
from tests.search_ui.admin.full_folder import read_config
from tests.search_ui.pages.test_search_pages import texts

TOML = '[[label]]\nname = "Manuals"\nsites = ["docs.example.org", "www.example.org/docs"]\n'


def test_what_crawl_toml_says_besides(full: Operator) -> None:
    assert "In crawl.toml" not in full.get("/admin/labels").text
    (full.folder / "crawl.toml").write_text(TOML, encoding="utf-8")
    again = full.restarted()
    shown = again.get("/admin/labels").text
    assert "in the menu “Collection”" in shown, "what people see it as"
    rows = texts(shown, "tbody tr")
    assert [" ".join(row.split()) for row in rows] == ["Manualsdocs.example.org, www.example.org/docs"]
    answer = again.act("/admin/labels", text="a\ta.example\n" * 50, version=version_of(shown))
    assert "at most 49 lines" in answer.text, "together as many as are counted"


def version_of(shown: str) -> str:
    return shown.partition('name="version" value="')[2].partition('"')[0]


def test_searches_follow_without_a_restart(tmp_path: Path) -> None:
    """Also those whose answer is remembered; a name of both has the sites of both."""
    folder = tmp_path / "labelled"
    Follower(Memory(*(page(f"https://{name}.example/", "amber") for name in "abc")), folder).catch_up()
    (folder / "crawl.toml").write_text('[[label]]\nname = "Ours"\nsites = ["a.example"]\n', encoding="utf-8")
    labels = read_labels(read_config(folder).labels)
    with closing(SearchService(folder, labels=labels)) as search:

        def counts() -> list[tuple[str, int]]:
            facets = search.search("amber", choice=SearchFilters(with_facets=True)).facets
            return [(one.value, one.hits) for one in facets.counts["label"]] if facets else []

        assert counts() == [("Ours", 1)]
        save_password(folder, PASSWORD, 0, "")
        operator = Operator(make_app(read_config(folder)))
        operator.log_in()
        text = "Ours\tb.example\nTheirs | c.example | b.example\n"
        version = version_of(operator.get("/admin/labels").text)
        answer = operator.act("/admin/labels", text=text, version=version)
        assert answer.status_code == 303
        until(lambda: counts() == [("Ours", 2), ("Theirs", 2)], "the labels of now")
        assert search.search("amber", choice=SearchFilters(label="Theirs")).total == 2
