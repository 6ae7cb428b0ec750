"""Takes the complaint of a host's owner, and shows what the operator answers."""

import time

from starlette.responses import Response

from engine.complaints import (
    MAX_CONTACT,
    MAX_TEXT,
    close_complaint,
    has_pause,
    load_complaints,
    make_complaint,
)
from engine.errors import EngineError
from engine.frontier import load_paused
from engine.model import Message
from search_ui.owner.site_page import SiteRequest

MAX_SHOWN = 20  # complaints of a host
WITHDRAWN = "withdrawn by the owner"  # as the operator reads it


def show_complaint(asked: SiteRequest) -> Response:
    """Shows the open complaint, or the form, and the complaints before."""
    location = asked.context.access.config.database
    complaints = load_complaints(location, asked.host, MAX_SHOWN)
    opened = next((one for one in complaints if one.closed_at is None), None)
    return asked.render(
        "owner_complaint.html",
        opened=opened,
        is_paused=opened is not None and has_pause(load_paused(location), opened),
        closed=[one for one in complaints if one.closed_at is not None],
        max_text=MAX_TEXT,
        max_contact=MAX_CONTACT,
    )


def act_on_complaint(asked: SiteRequest) -> str:
    """Opens a complaint, or withdraws the open one. Raises EngineError."""
    location, fields = asked.context.access.config.database, asked.fields
    number = asked.number("number")
    if number is not None:
        opened = load_complaints(location, asked.host, MAX_SHOWN)
        if number not in [one.number for one in opened if one.closed_at is None]:
            raise EngineError(Message("This complaint is not open."))
        close_complaint(location, number, WITHDRAWN, time.time())
        return ""
    # A browser sends each end of line as CR LF, whatever it was (HTML, 4.10.22.4).
    text = fields.get("text", "").replace("\r\n", "\n")
    pauses = "goes_on" not in fields
    make_complaint(location, asked.host, text, fields.get("contact", ""), time.time(), pauses=pauses)
    return ""
