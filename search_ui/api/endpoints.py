"""Answers programs: JSON or RSS, problem documents for errors."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.config import Network
from engine.model import Message, Results
from search_ui.api import openapi
from search_ui.api.operations import OPERATIONS
from search_ui.rendering import (
    DESCRIPTION_TYPE,
    FEED_TYPE,
    SUGGESTIONS_TYPE,
    call_searcher,
    encode_json,
    format_description,
    format_rss,
    format_suggestions,
    render_html,
)
from search_ui.search_request import MAX_TYPED, SearcherOf, SearchRequest, parse_search_request, parse_url
from search_ui.server import find_proxied_origin, split_public_url


@dataclass(frozen=True, slots=True)
class ApiEndpoints:
    """The endpoints of the API."""

    searcher_of: SearcherOf
    public_url: str = ""  # where we are reached, without a slash at the end; '' when nobody said
    proxies: Sequence[Network] = ()  # trusted ones

    async def search(self, request: Request) -> Response:
        """Answers one page of hits for `q` as JSON. Raises HTTPException 400 for a malformed request."""
        return Response(
            encode_json((await self._results(request)).as_object()), media_type="application/json"
        )

    async def feed(self, request: Request) -> Response:
        """Answers the same page of hits as RSS 2.0."""
        results = await self._results(request)
        return Response(format_rss(results, self._origin(request)), media_type=FEED_TYPE)

    def description(self, request: Request) -> Response:
        """Answers the OpenSearch 1.1 description, by which browsers add a search engine."""
        about = format_description(self._origin(request))
        return Response(about, media_type=DESCRIPTION_TYPE)

    async def explain(self, request: Request) -> Response:
        """Explains the rank of the page `url` for `q`. Raises HTTPException 404 if it is not indexed."""
        asked = await _question(request)
        rank = await call_searcher(self.searcher_of(request).explain, parse_url(request), asked.typed)
        if rank is None:
            raise HTTPException(404, Message("The index does not have this page, or no longer has it."))
        return Response(encode_json(rank.as_object()), media_type="application/json")

    async def suggest(self, request: Request) -> Response:
        """Answers completions of `q` as OpenSearch suggestions."""
        asked = await parse_search_request(request)
        found = await call_searcher(self.searcher_of(request).complete, asked.typed)
        suggested = format_suggestions(asked.typed, found, self._origin(request))
        return Response(encode_json(suggested), media_type=SUGGESTIONS_TYPE)

    async def openapi(self, request: Request) -> Response:
        """Answers the OpenAPI 3.1 description."""
        return Response(openapi.encode_document(request.scope["root_path"]), media_type="application/json")

    def about(self, request: Request) -> Response:
        """Shows the same description as a page."""
        document = openapi.build_document(request.scope["root_path"])
        return render_html("api.html", typed="", api=document, operations=OPERATIONS)

    async def _results(self, request: Request) -> Results:
        asked = await _question(request)
        question = asked.typed, asked.page, asked.size, asked.fold, asked.choice
        return await call_searcher(self.searcher_of(request).search, *question)

    def _origin(self, request: Request) -> str:
        """Returns our origin: `public_url`'s, else what a trusted proxy was asked for, else our address.

        Never the Host header of anybody else, which is whatever the client says it is.
        """
        if origin := split_public_url(self.public_url)[0] or find_proxied_origin(request.scope, self.proxies):
            return origin
        host, port = request.scope["server"]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _question(request: Request) -> SearchRequest:
    """Parses a search request. Raises HTTPException 400 for one without words or too long."""
    asked = await parse_search_request(request)
    if not asked.typed:
        raise HTTPException(400, Message("“q” must contain at least one word to search for."))
    if asked.cut:
        raise HTTPException(400, Message("“q” may have at most {limit} characters.", limit=MAX_TYPED))
    return asked
