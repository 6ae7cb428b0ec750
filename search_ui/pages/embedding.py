"""Shows how another site embeds the search box: a plain form, or a script and an element."""

from starlette.requests import Request
from starlette.responses import Response

from engine.middleware import Identity
from search_ui.rendering import html

SOMEWHERE = "https://search.example"  # shown where `public_url` does not tell where we are


def embedding_page(identity: Identity, _: Request) -> Response:
    """What to copy, and the element at work."""
    server = identity.public_url or SOMEWHERE
    return html("embed.html", typed="", server=server, example=not identity.public_url)
