"""Names where a link graph is: a file of SQLite, or a schema of a PostgreSQL server."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import EngineError
from engine.postgresql import CLIENT_SECONDS

_NAME = re.compile(r"(?!pg_)[a-z][a-z0-9_]{0,62}")  # as PostgreSQL takes it without quotes; its own have pg_


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """One schema of a database, by the database's postgresql:// URL: the link graph of one generation.

    A server that keeps silent is waited for `silent_seconds`, for a connection 2 at least.
    """

    url: str
    name: str
    silent_seconds: float = field(default=CLIENT_SECONDS, compare=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise EngineError(f"{self.name!r} cannot be the name of a schema: use a-z, 0-9 and _, 63 at most")

    def __str__(self) -> str:
        return f"{self.url} (schema {self.name})"


GraphLocation = Path | GraphSchema
