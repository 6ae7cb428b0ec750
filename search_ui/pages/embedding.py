"""Shows how another site embeds the search box: a plain form, or a script and an element."""

from starlette.requests import Request
from starlette.responses import Response

from engine.middleware import Identity
from search_ui.rendering import render_html
from search_ui.server import split_public_url

SOMEWHERE = "https://search.example"  # shown where `public_url` does not tell where we are


def show_embedding(identity: Identity, _: Request) -> Response:
    """Shows the code to copy, and the element as it works."""
    server = identity.public_url or SOMEWHERE
    source = f"{server}/" if split_public_url(server)[1] else server  # below it (CSP Level 3, 6.7.2.12)
    return render_html("embed.html", typed="", server=server, source=source, example=not identity.public_url)
