"""Shows which index is searched, and returns to the one before it."""

from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from starlette.responses import Response

from engine import generations
from engine.config import Config
from engine.errors import EngineError
from engine.folder import lock_folder
from engine.generations import FORM, Generation
from engine.index.indexing import return_to_older
from engine.store import Store
from search_ui.admin.page import Done
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest


class GenerationView(NamedTuple):
    """One index as the page shows it."""

    name: str
    caught_up_at: float
    size: int  # bytes
    is_readable: bool


@dataclass(frozen=True, slots=True)
class GenerationsPage:
    """The index that is searched, the one before it, and the one that was refused."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the page."""
        index = self.config.index
        current, refused = generations.undamaged_generation(index), generations.refused_generation(index)
        with closing(Store(self.config.database)) as store:
            behind = generations.count_behind(index, store.last_change())
        return render_admin(
            "generations.html",
            asked,
            current=_view(current),
            before=_view(current.before) if current else None,
            refused=_view(refused),
            reasons=refused.refusal_reasons if refused else [],
            behind=behind,
            form=FORM,
        )

    def act(self, asked: AdminRequest) -> Done:
        """Returns to the index before. Raises EngineError without one, and while another rebuild runs."""
        if asked.fields.get("confirm") != "yes":
            raise EngineError("tick the box first: searches are answered by the older index then")
        with (
            lock_folder(self.config.data_dir, "rebuild"),
            closing(Store(self.config.database)) as store,
        ):
            generation = return_to_older(store, self.config, lambda _: None)
        return Done("index", f"{generation.name} is current again")


def _view(one: Generation | None) -> GenerationView | None:
    """Looks at an index; None for none, and for one that another process deletes meanwhile."""
    try:
        if one and one.has_changes:
            return GenerationView(one.name, one.caught_up_at, one.nbytes, one.is_readable)
    except OSError:
        pass
    return None
