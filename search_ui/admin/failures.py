"""Shows the URLs that could not be fetched, and tries one again."""

import time
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from starlette.responses import Response

from engine.config import Config
from engine.report import next_try
from engine.store import Store, load_failed_urls
from engine.submission import recrawl_known
from search_ui.admin.page import Done
from search_ui.admin.rendering import PAGE_ROWS, render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class FailuresPage:
    """Failed and missing URLs, in the order in which they were found."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them, those after the id `after`."""
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            found = load_failed_urls(connection, time.time(), asked.number("after") or 0)
            rows = [(one, next_try(one)) for one in islice(found, PAGE_ROWS + 1)]
        shown = rows[:PAGE_ROWS]
        after = shown[-1][0].id if len(rows) > PAGE_ROWS else None
        return render_admin("failures.html", asked, rows=shown, after=after)

    def act(self, asked: AdminRequest) -> Done:
        """Queues one for the next crawl. Raises EngineError for what is not known."""
        url = asked.fields.get("target", "").strip()
        recrawl_known(self.config, url)
        return Done("recrawl", f"{url} is queued")
