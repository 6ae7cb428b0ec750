"""Shows the pages that contain secrets, and lets one in."""

from contextlib import closing
from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config
from engine.report import describe_secrets
from engine.store import Store, load_quarantine
from engine.submission import release_from_quarantine
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class QuarantinePage:
    """Pages with secrets, by URL; neither their texts nor the secrets are kept."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of the list."""
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            shown, following = cut_page(iter(load_quarantine(connection)), asked)
        rows = [(one, describe_secrets(one.kinds, one.line)) for one in shown]
        return render_admin("quarantine.html", asked, rows=rows, following=following)

    def act(self, asked: AdminRequest) -> Done:
        """Lets a page in. Raises EngineError for one that is not in quarantine."""
        held = release_from_quarantine(self.config, asked.fields.get("target", "").strip())
        return Done("released from quarantine", held.url)
