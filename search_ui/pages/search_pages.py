"""Shows the search box and the results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from engine.config import Network
from engine.errors import Busy, EngineError, IndexMissing, Unreadable
from engine.model import NO_FILTERS, Message, Note, NoteKind, Results
from engine.monitor import ALARM, Progress
from search_ui.rendering import HOW_TO_START, RETRY_SECONDS, build_search_url, index_error, render_html
from search_ui.search_request import MAX_TYPED, Searcher, SearcherOf, SearchRequest, parse_search_request
from search_ui.search_threads import run_search
from search_ui.server import Client, identify_client, is_same_site

HINT = Message("Type a word or two to search for.")


@dataclass(frozen=True, slots=True)
class SearchPages:
    """The pages; `progress` tells of the crawl that fills the index, if there is one.

    What a person asks, and finds, is remembered by who it is: not what a page of another site makes a browser
    ask, nor what a program asks that does not say where it stands.
    """

    searcher_of: SearcherOf
    progress: Callable[[], Progress | None]
    proxies: Sequence[Network] = ()

    def home(self, _: Request) -> Response:
        """Shows the search box."""
        return self._home(hint="")

    async def results(self, request: Request) -> Response:
        """Shows the hits for a query (requirements 295-298), which is searched in a thread."""
        asked = await parse_search_request(request)
        client = identify_client(request.scope, self.proxies) if is_same_site(request) else None
        return await run_search(self._answer, self.searcher_of(request), asked, client)

    def _home(self, hint: str) -> Response:
        return render_html("home.html", typed="", hint=hint, crawl=self._running())

    def _answer(self, searcher: Searcher, asked: SearchRequest, client: Client | None) -> Response:
        if not asked.typed:
            return self._home(HINT)
        try:
            results = _search(searcher, asked)
        except IndexMissing:
            return self._no_index(asked)
        except EngineError as error:
            raise index_error(error) from error
        is_short = not results.total or _is_partial(results)
        is_corrected = results.query != asked.typed
        if client and asked.page == 1:
            _record(searcher, asked, results, client)
        cut = (Note(NoteKind.QUERY_TOO_LONG, limit=MAX_TYPED),) if asked.cut else ()
        crawl = self._running()
        return render_html(
            "results.html",
            typed=asked.typed,
            here=build_search_url(asked.typed, asked.page, asked.choice),
            results=results,
            instead=asked.typed if is_corrected else "",
            notes=(*cut, *results.notes),
            failing=searcher.find_failing_clauses(results.query) if is_short else None,
            crawl=crawl,
            refresh=RETRY_SECONDS if crawl and not results.total else 0,
        )

    def _no_index(self, asked: SearchRequest) -> Response:
        crawl = self._running()
        return render_html(
            "no_index.html",
            503,
            {"Retry-After": str(RETRY_SECONDS)} if crawl else None,
            typed=asked.typed,
            how_to_start=HOW_TO_START,
            crawl=crawl,
            refresh=RETRY_SECONDS if crawl else 0,
        )

    def _running(self) -> Progress | None:
        """Returns the crawl's progress, None without any or when it cannot be read."""
        try:
            crawl = self.progress()
        except Unreadable as error:
            ALARM(str(error), error.path)
            return None
        except Busy:
            return None
        return crawl if crawl and crawl.running else None


def _record(searcher: Searcher, asked: SearchRequest, results: Results, client: Client) -> None:
    """Records a query of which everything was found, or nothing, and that not for want of a filter."""
    total = results.total if results.query == asked.typed else 0
    if not _is_partial(results) if total else asked.choice == NO_FILTERS:
        searcher.record_query(asked.typed, total, client.person_key)


def _search(searcher: Searcher, asked: SearchRequest) -> Results:
    """Searches for what was typed; where that finds nothing, for what is likely meant."""
    choice = asked.choice._replace(with_facets=True)
    results = searcher.search(asked.typed, asked.page, choice=choice)
    if results.total or asked.verbatim or not results.did_you_mean:
        return results
    meant = searcher.search(results.did_you_mean, asked.page, choice=choice)
    return meant if meant.total else results


def _is_partial(results: Results) -> bool:
    """Tells whether no page has all words."""
    return any(note.kind is NoteKind.PARTIAL_MATCHES for note in results.notes)
