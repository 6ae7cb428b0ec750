"""Shows what looks like a trap, and takes the operator's judgement."""

from contextlib import closing
from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config
from engine.errors import EngineError
from engine.removal import accept_suspect, describe_times, dismiss_suspect, receipt_sentence
from engine.store import Store, load_suspects
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class SuspectsPage:
    """Hosts and paths that cost many requests and bring little, by host."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them."""
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            shown, following = cut_page(iter(load_suspects(connection)), asked)
        return render_admin(
            "suspects.html", asked, suspects=shown, following=following, describe_times=describe_times
        )

    def act(self, asked: AdminRequest) -> Done:
        """Blocks a target, or dismisses a suspect. Raises EngineError for one that is not in the list."""
        number, decision = asked.number("number"), asked.fields.get("decision", "")
        if number is None or decision not in ("block", "dismiss"):
            raise EngineError("choose a suspect, and whether to block or to dismiss it")
        with closing(Store(self.config.database)) as store:
            if decision == "dismiss":
                seen = dismiss_suspect(store, number).seen
                return Done("suspect dismissed", f"{seen.rule} at {seen.target.text}")
            reason, typed = asked.fields.get("reason"), asked.fields.get("target", "").strip()
            receipt = accept_suspect(store, self.config, number, reason, typed)
        return Done("suspect blocked", receipt_sentence(receipt))
