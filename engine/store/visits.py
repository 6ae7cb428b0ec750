"""Saves what visits brought: what became of the URLs, their pages, and what the index has to follow."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database import NEAR, BulkStatement, Given, copies, hosts, log_change, pages, urls
from engine.model import LETHAL, Purpose, State, Visit
from engine.store.feeds import feed_interval
from engine.store.removals import NEVER
from engine.store.revisit import (
    MOVED_SECONDS,
    PERMANENT,
    SLACK,
    missing_rest,
    next_rest,
    rest_after_visit,
    revisit_interval,
)
from engine.store.twins import TWIN

# A page that ends its reader is tried again after two days, then four, eight, up to sixty.
LETHAL_RESTS = 2

_VISIT = (
    "state",
    "visited_at",
    "status",
    "reason",
    "alias_of",
    "may_stand",
    "fails",
    "bytes",
    "etag",
    "last_modified",
)
_CONFIRMED = ("state", "visited_at", "status")
_FLAGS = ("missing", "missed", "lethal")
# What the page asked for at its last full answer; a 404 since then has overwritten it.
_ASKED_FOR = sa.case((urls.c.missing_since.is_(None), urls.c.due_at - urls.c.visited_at))


def save_visits(connection: sa.Connection, visits: Sequence[Visit]) -> None:
    """Writes what became of the URLs, and the pages that are stored."""
    for some in _split_by_url(visits):
        visited = [_visited_row(visit) for visit in some if not visit.unchanged]
        _LOG_STANDING.execute(connection, visited)
        _UPDATE_VISITED.execute(connection, visited)
        _UPDATE_CONFIRMED.execute(connection, [_confirmed_row(visit) for visit in some if visit.unchanged])
        stored = [_page_row(visit) for visit in some if visit.reading and visit.state is State.STORED]
        _LOG_CHANGED.execute(connection, stored)
        _SAVE_PAGE.execute(connection, stored)
        _save_copies(connection, some)


def _save_copies(connection: sa.Connection, visits: Sequence[Visit]) -> None:
    """Writes what copies have themselves that may stand one day; what is none any more has left."""
    rows = [_page_row(visit) for visit in visits if visit.may_stand]
    known = [visit for visit in visits if not (visit.fetch.claim.new or visit.unchanged or visit.may_stand)]
    _DROP_COPY.execute(connection, [{"of": visit.fetch.claim.url_id} for visit in known])
    _SAVE_COPY.execute(connection, rows)


def _split_by_url(visits: Sequence[Visit]) -> Iterator[Sequence[Visit]]:
    """Splits visits so that each URL is among some once: a second visit has to see what the first left."""
    some: dict[int, Visit] = {}
    for visit in visits:
        if visit.fetch.claim.url_id in some:
            yield [*some.values()]
            some = {}
        some[visit.fetch.claim.url_id] = visit
    yield [*some.values()]


def _log_standing(row: Given) -> sa.Insert:
    """Links to a URL count for what represents it, and copies are shown with that: the index follows it."""
    differs = urls.c.alias_of.is_distinct_from(row["alias_of"])
    reason_differs = urls.c.alias_of.is_not(None) & (urls.c.reason != row["reason"])
    return log_change(sa.select(urls.c.url).where(urls.c.id == row["of"], differs | reason_differs))


def _update_visited(row: Given) -> sa.Update:
    at, missing = row["visited_at"], row["missing"]
    same = sa.exists().where(pages.c.url_id == row["of"], pages.c.fingerprint == row["fingerprint"])
    rest = sa.case(
        (missing, missing_rest(at)),
        (row["lethal"], LETHAL_RESTS * next_rest(sa.true()) - SLACK),
        else_=sa.func.coalesce(row["revisit"], urls.c.every),
    )
    learned = {
        "missing_since": sa.case((missing, sa.func.coalesce(urls.c.missing_since, at))),
        "due_at": at + rest,
        "rest": rest_after_visit(missing, row["missed"] | same, row["of"]),
    }
    visit = {name: row[name] for name in _VISIT}
    return sa.update(urls).where(urls.c.id == row["of"]).values(visit | learned)


def _update_confirmed(row: Given) -> sa.Update:
    due_at = row["visited_at"] + sa.func.coalesce(_ASKED_FOR, urls.c.every)
    learned = {"missing_since": None, "fails": 0, "rest": next_rest(sa.true()), "due_at": due_at}
    visit = {name: row[name] for name in _CONFIRMED}
    return sa.update(urls).where(urls.c.id == row["of"]).values(visit | learned)


def _log_changed(row: Given) -> sa.Insert:
    """What says the same as before is no change: the index has it."""
    same = sa.exists().where(pages.c.url_id == row["url_id"], pages.c.content == row["content"])
    return log_change(sa.select(row["url"]).where(~same))


def _drop_copy(row: Given) -> sa.Delete:
    return sa.delete(copies).where(copies.c.url_id == row["of"])


def _save_page(table: sa.Table, row: Given) -> sa.Insert:
    names = [column.name for column in table.c]
    new = insert(table).from_select(names, sa.select(*(row[name] for name in names)).where(sa.true()))
    changed = {name: new.excluded[name] for name in names if name != "url_id"}
    return new.on_conflict_do_update(index_elements=["url_id"], set_=changed)


def _columns(names: Sequence[str]) -> dict[str, sa.Column[Any]]:
    return {name: urls.c[name] for name in names}


_OF = {"of": urls.c.id}
_LEARNED = dict.fromkeys(_FLAGS, hosts.c.called) | {
    "revisit": urls.c.every,
    "fingerprint": pages.c.fingerprint,
}
_LOG_STANDING = BulkStatement(_log_standing, _OF | _columns(("alias_of", "reason")))
_UPDATE_VISITED = BulkStatement(_update_visited, _OF | _columns(_VISIT) | _LEARNED)
_UPDATE_CONFIRMED = BulkStatement(_update_confirmed, _OF | _columns(_CONFIRMED))
_LOG_CHANGED = BulkStatement(
    _log_changed, {"url": urls.c.url, "url_id": urls.c.id, "content": pages.c.content}
)
_SAVE_PAGE = BulkStatement(partial(_save_page, pages), dict(pages.c.items()))
_DROP_COPY = BulkStatement(_drop_copy, _OF)
_SAVE_COPY = BulkStatement(partial(_save_page, copies), dict(copies.c.items()))


def _visited_row(visit: Visit) -> Mapping[str, Any]:
    fetch = visit.fetch
    return {
        "of": fetch.claim.url_id,
        "state": State.QUEUED if visit.again else visit.state,
        "visited_at": fetch.at,
        "revisit": _requested_interval(visit),
        "missing": visit.state is State.GONE,
        "missed": visit.state in (State.GONE, State.FAILED) or visit.reason == LETHAL,
        "lethal": visit.reason == LETHAL,
        "fingerprint": visit.reading.fingerprint if visit.reading else b"",
        "status": fetch.status,
        "reason": visit.reason,
        "alias_of": visit.target or None,
        "may_stand": visit.may_stand or None,
        "fails": fetch.claim.fails + 1 if visit.state is State.FAILED else 0,
        "bytes": fetch.size,
        "etag": fetch.header("etag"),
        "last_modified": fetch.header("last-modified"),
    }


def _confirmed_row(visit: Visit) -> Mapping[str, Any]:
    """Builds the row of a 304: what the last full answer left stands."""
    fetch = visit.fetch
    return {"of": fetch.claim.url_id, "state": visit.state, "visited_at": fetch.at, "status": fetch.status}


def _requested_interval(visit: Visit) -> float | None:
    """Returns the seconds to the next visit: as the page says (requirement 224) or by the status code."""
    if visit.reason == TWIN:
        return NEVER
    if visit.state is State.ALIAS and visit.fetch.status in PERMANENT:
        return MOVED_SECONDS
    if visit.fetch.claim.kind is Purpose.FEED:
        return feed_interval(visit.sitemap, visit.fetch.at)
    wish = visit.reading.revisit_seconds if visit.reading else None
    return revisit_interval(wish) if wish else None


def _page_row(visit: Visit) -> Mapping[str, Any]:
    assert visit.reading
    return {
        "url": visit.fetch.claim.url,
        "url_id": visit.fetch.claim.url_id,
        "fetched_at": visit.fetch.at,
        "language": visit.reading.language,
        "media_type": visit.reading.media_type,
        "fingerprint": visit.reading.fingerprint,
        "content": visit.reading.content,
        "expires_at": visit.reading.directives.unavailable_after,
        "flag": visit.reading.flag,
        **dict(zip(NEAR, visit.reading.near or (None,) * len(NEAR), strict=True)),
    }
