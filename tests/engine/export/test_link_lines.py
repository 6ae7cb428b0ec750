"""An edge list has a line for each link, whatever stands on it."""

from engine.export.link_lines import write_links
from engine.model.page import Link, Page
from engine.packing.packing import pack_page
from engine.store.change import Change

URL = "http://a.example/"


def test_links() -> None:
    links = (
        Link("http://b.example/", "some words"),
        Link("http://c.example/", "a\ttab\nand a line", True),
        Link("http://d.example/", "", True, False),
        Link("http://e.example/", "menu", False, False),
    )
    assert list(write_links(Change(1, URL, pack_page(Page(URL, links=links))))) == [
        f"{URL}\thttp://b.example/\tsome words\t",
        f"{URL}\thttp://c.example/\ta tab and a line\tnofollow",
        f"{URL}\thttp://d.example/\t\tnofollow aside",
        f"{URL}\thttp://e.example/\tmenu\taside",
    ]


def test_a_url_that_left_has_none() -> None:
    assert not list(write_links(Change(1, URL, None)))
    assert not list(write_links(Change(1, URL, pack_page(Page(URL)))))
