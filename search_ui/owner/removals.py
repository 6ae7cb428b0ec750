"""Removes pages of a host for its owner, who gets a receipt, and undoes it."""

from contextlib import closing

from starlette.responses import Response

from engine.database import OWNERS, open_side, write_side
from engine.errors import EngineError
from engine.model import Message
from engine.ownership import load_removals, parse_own_target, require_room, save_removal
from engine.removal import remove, undo
from engine.store import Store, load_blocks
from search_ui.owner.site_page import SiteRequest

REASON = "its owner asked for it"  # as the operator reads it


def show_removals(asked: SiteRequest) -> Response:
    """Shows the removals of the host's owner, the newest first; `done` is the one that was made just now."""
    config = asked.context.access.config
    with open_side(config.database, OWNERS) as connection:
        own = load_removals(connection, asked.host)
    with closing(Store(config.database)) as store, store.engine.connect() as connection:
        blocks = [block for block in load_blocks(connection)[::-1] if block.number in own] if own else []
    done = next((block for block in blocks if block.number == asked.number("done")), None)
    return asked.render("owner_removals.html", blocks=blocks, own=own, done=done)


def act_on_removals(asked: SiteRequest) -> str:
    """Removes an address or a prefix, or undoes the removal `number`. Raises EngineError."""
    config, number = asked.context.access.config, asked.number("number")
    with open_side(config.database, OWNERS) as connection:
        own = load_removals(connection, asked.host)
        require_room(connection, asked.host)
    if number is not None:
        if number not in own:
            raise EngineError(Message("This is no removal of yours."))
        with closing(Store(config.database)) as store:
            undo(store, number)
        return f"?done={number}"
    target = parse_own_target(asked.host, asked.fields.get("target", "").strip())
    with closing(Store(config.database)) as store:
        receipt = remove(store, config, target, REASON, f"the owner of {asked.host}")
    with write_side(config.database, OWNERS) as connection:
        save_removal(connection, asked.host, receipt["number"], receipt["pages"])
    return f"?done={receipt['number']}"
