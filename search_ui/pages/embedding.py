"""Shows how another site embeds the search box: a plain form, or a script and an element."""

from starlette.requests import Request
from starlette.responses import Response

from engine.middleware import Identity
from search_ui.rendering import render_html

SOMEWHERE = "https://search.example"  # shown where `public_url` does not tell where we are


def show_embedding(identity: Identity, _: Request) -> Response:
    """Shows the code to copy, and the element as it works."""
    server = identity.public_url or SOMEWHERE
    return render_html("embed.html", typed="", server=server, example=not identity.public_url)
