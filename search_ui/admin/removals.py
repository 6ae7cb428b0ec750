"""Shows what was removed and is kept out, removes more, and undoes a removal."""

from contextlib import closing
from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config
from engine.removal import receipt_sentence, remove, undo
from engine.store import Store, load_blocks, parse_target
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class RemovalsPage:
    """All removals, the newest first."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them."""
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            shown, following = cut_page(iter(load_blocks(connection)[::-1]), asked)
        return render_admin("removals.html", asked, blocks=shown, following=following)

    def act(self, asked: AdminRequest) -> Done:
        """Removes a target, or undoes the removal `number`. Raises EngineError without a target or reason."""
        number, fields = asked.number("number"), asked.fields
        with closing(Store(self.config.database)) as store:
            if number is not None:
                return Done("removal undone", receipt_sentence(undo(store, number)))
            target = parse_target(fields.get("target", "").strip())
            contact = fields.get("contact", "").strip()
            receipt = remove(store, self.config, target, fields.get("reason"), contact)
        return Done("removal", receipt_sentence(receipt))
