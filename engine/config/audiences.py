"""Reads [[audience]] of crawl.toml: who may see pages that not everybody may."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.config.table import Table
from engine.errors import EngineError

ANYBODY = "*"  # in `users`: whoever has logged in
RESERVED = ("everyone", "nobody")
MAX_NAME = 60  # characters of an audience
MAX_MEMBER = 256  # characters of a user or a group: what directories give is shorter
MAX_AUDIENCES = 50  # each is looked up for every page that is stored


@dataclass(frozen=True, slots=True)
class AudienceConfig:
    """An audience: those who have one of the names, and those who are in one of the groups."""

    name: str
    users: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()


def read_audiences(tables: Sequence[Table]) -> tuple[AudienceConfig, ...]:
    """Reads the tables [[audience]]. Raises EngineError for one that nobody is in, or that is there twice."""
    found: dict[str, AudienceConfig] = {}
    for table in tables:
        one = _read_audience(table)
        if one.name in found:
            raise EngineError(f"{table.where('name')}: {one.name!r} is in an earlier [[audience]]")
        found[one.name] = one
    if len(found) > MAX_AUDIENCES:
        raise EngineError(
            f"{tables[MAX_AUDIENCES].where('name')}: write {MAX_AUDIENCES} [[audience]] at most"
        )
    return tuple(found.values())


def _read_audience(table: Table) -> AudienceConfig:
    table.check_keys("name", "users", "groups")
    name = table.text("name")
    if not 0 < len(name) <= MAX_NAME or not name.isprintable() or name in RESERVED:
        raise EngineError(
            f"{table.where('name' if name else 'audience')}: an [[audience]] needs a name of 1 to {MAX_NAME} "
            'letters, and "everyone" and "nobody" have a meaning; write, for example, "staff"'
        )
    users, groups = (frozenset(table.parsed(key, _parse_member, "ada")) for key in ("users", "groups"))
    if not users and not groups:
        raise EngineError(
            f'{table.where("name")}: say who is in it: groups = ["staff"], users = ["ada"], or users = '
            f'["{ANYBODY}"] for whoever has logged in'
        )
    return AudienceConfig(name, users, groups)


def _parse_member(text: str) -> str:
    if not 0 < len(text) <= MAX_MEMBER or not text.isprintable() or text != text.strip() or "," in text:
        raise ValueError("no name of a user or a group")
    return text
