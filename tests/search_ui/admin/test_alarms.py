"""Alarms: what is open, and a test of who is told."""

from tests.receivers import webhook
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_what_is_open(full: Operator) -> None:
    shown = full.get("/admin/alarms").text
    assert len(texts(shown, ".verdict h2")) == 2
    assert "disk, since " in texts(shown, ".verdict p")[1]
    assert "Nobody: write command, webhook or smtp" in shown
    refused = full.act("/admin/alarms")
    assert (refused.status_code, "names nobody to tell" in refused.text) == (422, True)


def test_a_test_alarm(full: Operator) -> None:
    toml = full.folder / "crawl.toml"
    with webhook() as hook:
        toml.write_text(f'[alerts]\nwebhook = "{hook.url}"\n', encoding="utf-8")
        operator = full.restarted()
        answer = operator.act("/admin/alarms")
        assert [one["kind"] for one in hook.posted] == ["test"]
    assert "test alarm: webhook: sent" in operator.get(answer.headers["location"]).text
    assert hook.url not in operator.get("/admin/alarms").text, "it may have a key in it"
