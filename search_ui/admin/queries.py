"""Shows what is asked most, where crawl.toml lets that be kept, and never what one person asked."""

from starlette.responses import Response

from engine.config import Config
from engine.suggest import FILE, OFFERED, PastQuery, load_most_asked
from search_ui.admin.page import AdminRequest
from search_ui.admin.rendering import render_admin

MAX_SHOWN = 100  # queries


def show_queries(config: Config, asked: AdminRequest) -> Response:
    """Shows the queries that most clients asked."""
    found: list[PastQuery] = []
    if config.past_queries:
        found = load_most_asked(config.data_dir / FILE, MAX_SHOWN)
    return render_admin("queries.html", asked, queries=found, is_kept=config.past_queries, least=OFFERED)
