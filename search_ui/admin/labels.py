"""Shows the labels of crawl.toml, by which people narrow hits down."""

from starlette.responses import Response

from engine.config import Config
from search_ui.admin.page import AdminRequest
from search_ui.admin.rendering import render_admin


def show_labels(config: Config, asked: AdminRequest) -> Response:
    """Shows the labels that the search page has, as crawl.toml said when it started."""
    labels = [(table.text("name"), table.texts("sites")) for table in config.labels]
    return render_admin("labels.html", asked, labels=labels)
