"""Shows the pages of one hit: its text as it was read, and the explanation of its rank."""

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.index.snippets import NoCopy
from engine.model import Message
from engine.ranking import RERANK_SIGNALS
from search_ui.rendering import call_searcher, render_html
from search_ui.search_request import MAX_TYPED, SearcherOf, parse_search_request, parse_url

# A copy is for who searched here; no other search engine is to list it under our name.
NOT_LISTED = {"X-Robots-Tag": "noindex, nofollow"}
WITHOUT_COPY = {
    NoCopy.UNKNOWN: Message("The index does not have this page, or no longer has it."),
    NoCopy.OWNER: Message("The owner of this page asks that its text not be shown elsewhere."),
    NoCopy.NOTHING: Message("There is no text of this page to show."),
}


@dataclass(frozen=True, slots=True)
class HitPages:
    """The pages of a hit; HTTPException 400 for a `url` that is none, 503 without an index."""

    searcher_of: SearcherOf

    async def text(self, request: Request) -> Response:
        """Shows the text copy of `url` with the words of `q` marked. HTTPException 404: there is none."""
        url, asked = parse_url(request), await parse_search_request(request)
        found = await call_searcher(self.searcher_of(request).copy_text, url, asked.typed)
        if isinstance(found, NoCopy):
            raise HTTPException(404, WITHOUT_COPY[found], NOT_LISTED)
        return render_html("text.html", headers=NOT_LISTED, copy=found, typed=asked.typed)

    async def why(self, request: Request) -> Response:
        """Explains the rank of `url` for `q` (requirement 309). HTTPException 404: it is not in the index."""
        url, asked = parse_url(request), await parse_search_request(request)
        if not asked.typed or asked.cut:
            detail = Message(
                "“q” must contain the words to search for, in at most {limit} characters.", limit=MAX_TYPED
            )
            raise HTTPException(400, detail)
        rank = await call_searcher(self.searcher_of(request).explain, url, asked.typed)
        if rank is None:
            raise HTTPException(404, WITHOUT_COPY[NoCopy.UNKNOWN])
        return render_html(
            "why.html", rank=rank, account=rank.explanation, signals=RERANK_SIGNALS, typed=asked.typed
        )
