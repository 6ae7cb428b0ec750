"""Shows who did what, the newest first."""

from starlette.responses import Response

from engine.admin import AdminAccess
from search_ui.admin.rendering import PAGE_ROWS, render_admin
from search_ui.admin.request import AdminRequest


def show_audit(access: AdminAccess, asked: AdminRequest) -> Response:
    """Shows a page of the audit log, the newest acts before `before`."""
    entries = access.load_audit(asked.number("before"), PAGE_ROWS + 1)
    shown, more = entries[:PAGE_ROWS], entries[PAGE_ROWS:]
    return render_admin("audit.html", asked, entries=shown, before=shown[-1].number if more else None)
