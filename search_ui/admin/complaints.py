"""Shows the open complaints of site owners, and closes one with an answer."""

import time
from dataclasses import dataclass

from starlette.responses import Response

from engine.complaints import MAX_ANSWER, close_complaint, has_pause, load_open_complaints
from engine.config import Config
from engine.errors import EngineError
from engine.frontier import load_paused
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest


@dataclass(frozen=True, slots=True)
class ComplaintsPage:
    """The open complaints, oldest first."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them."""
        location = self.config.database
        shown, following = cut_page(iter(load_open_complaints(location)), asked)
        paused = load_paused(location)
        rows = [(one, has_pause(paused, one)) for one in shown]
        return render_admin("complaints.html", asked, rows=rows, following=following, max_answer=MAX_ANSWER)

    def act(self, asked: AdminRequest) -> Done:
        """Closes one. Raises EngineError where it is not open."""
        number = asked.number("number")
        if number is None:
            raise EngineError("choose which complaint to close")
        closed = close_complaint(self.config.database, number, asked.fields.get("answer", ""), time.time())
        return Done("complaint closed", f"{closed.number}, of {closed.host}: {closed.answer or 'no answer'}")
