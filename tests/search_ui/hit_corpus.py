"""Pages with a text copy, and pages without one."""

from dataclasses import replace

from engine.model.page import Flag, Link, Page, Section
from engine.robots import Directives
from tests.engine.index.source import page

ROOMS = Page(
    "http://a.example/rooms",
    "Amber <rooms>",
    language="en",
    sections=(Section("", "", "Of amber.\n<b>basil</b>"), Section("Cedar", "c", "Amber again.")),
    published=1_600_000_000.0,
)
PINNED = page("http://a.example/pinned", "Fern.", "Ferns", [Link(ROOMS.url, "rooms of amber")])
PAGES = [
    ROOMS,
    PINNED,
    page("http://b.example/persian", "اتاق کهربا amber", "اتاق", [Link(ROOMS.url, "")], language="fa"),
    replace(ROOMS, url="http://c.example/unarchived", directives=Directives(archive=False)),
    replace(ROOMS, url="http://c.example/parked", flag=Flag.PARKED),
    page("http://c.example/x?a=%3Cscript%3E&b=%27", "amber"),
    page("http://d.example/long", "amber\n" * 20_000),
]
