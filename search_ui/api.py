"""The same search for programs: one address, JSON out, problem documents when it cannot answer."""

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from search_ui.asked import MAX_TYPED, Searcher, read_asked, read_url
from search_ui.problems import answered
from search_ui.render import to_json


@dataclass(frozen=True, slots=True)
class Api:
    """What programs may ask of one searcher."""

    searcher: Searcher

    async def search(self, request: Request) -> Response:
        """One page of hits for `q`; HTTPException 400 for a question that a program should mend."""
        asked = await read_asked(request)
        if not asked.typed:
            raise HTTPException(400, "“q” holds the words to search for, at least one.")
        if asked.cut:
            raise HTTPException(400, f"“q” has at most {MAX_TYPED:,} characters.")
        results = await answered(self.searcher.search, asked.typed, asked.page, asked.size, asked.fold)
        return Response(to_json(results.as_object()), media_type="application/json")

    async def explain(self, request: Request) -> Response:
        """Why the page `url` stands where it does for `q`; HTTPException 404 where the index has none."""
        asked = await read_asked(request)
        if not asked.typed or asked.cut:
            raise HTTPException(400, f"“q” holds the words to search for, at most {MAX_TYPED:,} characters.")
        rank = await answered(self.searcher.explain, read_url(request), asked.typed)
        if rank is None:
            raise HTTPException(404, "The index does not have this page.")
        return Response(to_json(rank.as_object()), media_type="application/json")

    async def suggest(self, request: Request) -> Response:
        """Completions of `q`, as browsers ask for them: [q, [...]] (OpenSearch Suggestions 1.0)."""
        asked = await read_asked(request)
        found = await answered(self.searcher.complete, asked.typed)
        return Response(to_json([asked.typed, found]), media_type="application/x-suggestions+json")
