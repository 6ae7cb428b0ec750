"""Shows the tokens by which programs may have pages visited again, and removes one."""

from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config
from engine.database import RECRAWL, open_side, write_side
from engine.submission import load_tokens, remove_token
from search_ui.admin.page import Done
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class TokensPage:
    """All tokens, oldest first; a new one is made on the terminal, which alone sees its secret."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the page."""
        with open_side(self.config.database, RECRAWL) as ledger:
            return render_admin("tokens.html", asked, tokens=load_tokens(ledger))

    def act(self, asked: AdminRequest) -> Done:
        """Removes a token, at once. Raises EngineError for one that is not there."""
        name = asked.fields.get("target", "")
        with write_side(self.config.database, RECRAWL) as ledger:
            remove_token(ledger, name)
        return Done("token removed", name)
