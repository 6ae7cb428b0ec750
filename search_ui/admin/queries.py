"""Shows what is asked most, and what is asked in vain, where crawl.toml lets that be kept."""

import time
from dataclasses import dataclass
from pathlib import Path

from starlette.responses import Response

from engine.config import Config
from engine.suggest import DAY, FILE, MAX_DAYS, OFFERED, UNANSWERED_FILE, PastQuery, load_most_asked
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest

MAX_SHOWN = 100  # queries of each kind


@dataclass(frozen=True, slots=True)
class QueriesPage:
    """The queries that clients of several networks asked, never what one person did."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the queries that had hits, and those that had none."""
        folder, days = self.config.data_dir, self.config.unanswered_query_days
        return render_admin(
            "queries.html",
            asked,
            most_asked=_load(folder / FILE, MAX_DAYS if self.config.past_queries else 0),
            unanswered=_load(folder / UNANSWERED_FILE, days),
            is_kept=self.config.past_queries,
            max_days=MAX_DAYS,
            unanswered_days=days,
            least=OFFERED,
        )


def _load(path: Path, days: int) -> list[PastQuery]:
    """Loads what was asked in these days; nothing for 0, where what is left of before is not to be read."""
    return load_most_asked(path, MAX_SHOWN, time.time() - days * DAY) if days else []
