"""The embedded box in a page of another site."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from tests.search_ui.conftest import Site
from tests.web.scripted import Answer, scripted_web
from tests.web.scripted import Site as Web

if TYPE_CHECKING:
    from playwright.sync_api import Page

TITLE = "A site of somebody else"


def elsewhere(lycosa: Site, attributes: str = "", more: str = "") -> AbstractContextManager[Web]:
    """Another origin whose page has the element, `more` HTML, and a policy as strict as it can be."""
    body = (
        f'<!doctype html><html lang="en"><title>{TITLE}</title><link rel="icon" href="data:,">'
        f'<script src="{lycosa.address}/static/embed.js" defer></script>'
        f"<main><h1>{TITLE}</h1><lycosa-search {attributes}>"
        f'<form action="{lycosa.address}/search"><input name="q" aria-label="Plain"></form></lycosa-search>'
        f"{more}</main>"
    )
    allowed = f"script-src {lycosa.address}; connect-src {lycosa.address}; img-src data:"
    headers = {"Content-Security-Policy": f"default-src 'none'; {allowed}"}
    return scripted_web({"/": Answer(body=body, headers=headers)})


def ask(tab: "Page", words: str) -> None:
    tab.get_by_role("combobox").fill(words)
    tab.keyboard.press("Enter")
