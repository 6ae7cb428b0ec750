"""Keeps suspected traps of hosts until the operator has judged (requirements 47, 53, 54)."""

from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import suspects
from engine.errors import EngineError
from engine.store.blocklist import Extent, Target

MAX_PLACES = 20  # of one host that are kept under one rule
# Over-long URLs make a suspect only together (requirement 47).
TOGETHER = {"length": 10, "long": 10}

# As text: refusals come by the thousand. The numbers are those of the last run that saw the suspect,
# as each run finds the same links anew.
_KEEP = sa.text("""
    INSERT INTO suspects (host, rule, kind, target, example, times, run, first_at, last_at, outcome)
    SELECT :host, :rule, :kind, :place, :example, :times, :run, :now, :now, ''
    WHERE (SELECT count(*) FROM suspects WHERE host = :host AND rule = :rule AND target != :place) < :most
    ON CONFLICT (host, rule, target) DO UPDATE SET
        times = excluded.times + CASE WHEN suspects.run = excluded.run THEN suspects.times ELSE 0 END,
        run = excluded.run, last_at = excluded.last_at
    RETURNING times, outcome
""")


class Judgement(StrEnum):
    """What the operator has made of a suspect; the database keeps the word."""

    OPEN = ""
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


class Sighting(NamedTuple):
    """Sightings of one rule at one place of a host."""

    host: str
    rule: str
    target: Target  # what would be blocked if the operator agreed
    example: str  # a URL
    times: int = 1


class Suspect(NamedTuple):
    """A sighting that waits for the operator; times are seconds since 1970."""

    number: int
    seen: Sighting  # as often as in the last run that saw it
    first_at: float
    last_at: float


def save_sighting(connection: sa.Connection, sighting: Sighting, run: int, now: float) -> bool:
    """Saves a sighting; True when it has just come to be one of many over-long URLs."""
    row = {**sighting._asdict(), "kind": sighting.target.extent, "place": sighting.target.text}
    row |= {"run": run, "now": now, "most": MAX_PLACES}
    kept = connection.execute(_KEEP, row).first()
    least = TOGETHER.get(sighting.rule)
    return bool(kept and least and not kept.outcome and kept.times >= least > kept.times - sighting.times)


def load_suspects(connection: sa.Connection) -> list[Suspect]:
    """Loads the suspects that the operator has not judged yet, by host."""
    query = sa.select(suspects).where(_OPEN).order_by(suspects.c.host, suspects.c.id)
    return [_parse_suspect(row) for row in connection.execute(query)]


def count_suspects(connection: sa.Connection) -> int:
    """Counts the suspects that wait for the operator's judgement."""
    query = sa.select(sa.func.count()).select_from(suspects).where(_OPEN)
    return int(connection.execute(query).scalar_one())


def count_trap_hosts(connection: sa.Connection, since: float) -> tuple[int, str]:
    """Counts the hosts that look like traps since a time, and names a URL of one; leaks of files are none."""
    new = _OPEN & (suspects.c.first_at >= since) & (suspects.c.rule != "sensitive")
    query = sa.select(sa.func.count(suspects.c.host.distinct()), sa.func.min(suspects.c.example)).where(new)
    hosts, example = connection.execute(query).one()
    return hosts, example or ""


def count_lethal_pages(connection: sa.Connection, host: str) -> int:
    """Counts a host's pages that ended their readers in the last run that met such."""
    of_host = (suspects.c.host == host) & (suspects.c.rule == "readers") & _OPEN
    return connection.execute(sa.select(suspects.c.times).where(of_host)).scalar() or 0


def load_suspect(connection: sa.Connection, number: int) -> Suspect:
    """Loads the suspect of a number. Raises EngineError when none that has it waits for judgement."""
    row = connection.execute(sa.select(suspects).where(suspects.c.id == number, _OPEN)).first()
    if row is None:
        raise EngineError(f"there is no suspect {number}; 'scrapy suspects' lists them")
    return _parse_suspect(row)


def judge_suspect(connection: sa.Connection, number: int, outcome: Judgement) -> None:
    """Saves what the operator has made of a suspect."""
    connection.execute(sa.update(suspects).where(suspects.c.id == number).values(outcome=outcome))


_OPEN = (suspects.c.outcome == Judgement.OPEN) & sa.and_(
    *((suspects.c.rule != rule) | (suspects.c.times >= least) for rule, least in TOGETHER.items())
)


def _parse_suspect(row: sa.Row[Any]) -> Suspect:
    target = Target(Extent(row.kind), row.target)
    return Suspect(
        row.id, Sighting(row.host, row.rule, target, row.example, row.times), row.first_at, row.last_at
    )
