"""Which index is searched, and the way back to the one before."""

from engine import generations
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_back_to_the_one_before(full: Operator) -> None:
    now, _, before, refused = texts(full.get("/admin/index").text, ".card dd")
    assert (now.partition(",")[0], before.partition(",")[0], refused) == ("g000002", "g000001", "none")
    answer = full.act("/admin/index")
    assert (answer.status_code, "tick the box first" in answer.text) == (422, True)
    answer = full.act("/admin/index", confirm="yes")
    assert "g000001 is current again" in full.get(answer.headers["location"]).text
    current = generations.current_generation(full.folder)
    assert current
    assert current.path.name == "g000001"


def test_there_is_no_way_back_from_the_first(full: Operator) -> None:
    full.act("/admin/index", confirm="yes")
    shown = full.get("/admin/index").text
    assert "none is kept" in shown
    token = full.token()
    refused = full.post("/admin/index", {"confirm": "yes", "token": token})
    assert (refused.status_code, "no index before the current one" in refused.text) == (422, True)


def test_without_an_index(inside: Operator) -> None:
    assert texts(inside.get("/admin/index").text, ".card dd")[0] == "none: a crawl makes the first one"
