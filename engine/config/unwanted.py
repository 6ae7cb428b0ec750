"""[unwanted] of crawl.toml: what must not get into the index, besides what Lycosa knows."""

from dataclasses import dataclass

from engine.config.table import Table
from engine.errors import EngineError

SHORTEST = 4  # characters; a phrase of less stands on every page
MAX_PHRASES = 1_000  # each is looked for on every short page


@dataclass(frozen=True, slots=True)
class Unwanted:
    """More phrases of error pages (requirement 85), and whether secrets are looked for."""

    phrases: tuple[str, ...] = ()
    secrets: bool = True  # pages with some go into quarantine (requirement 284)


def unwanted(table: Table) -> Unwanted:
    """What the table [unwanted] says. Raises EngineError for what cannot be a phrase."""
    table.only("phrases", "secrets")
    phrases = table.spelt("phrases", _phrase, "your browser cannot show this")
    if len(phrases) > MAX_PHRASES:
        raise EngineError(f"{table.where('phrases')}: write {MAX_PHRASES:,} phrases at most")
    return Unwanted(phrases, table.flag("secrets", default=True))


def _phrase(text: str) -> str:
    phrase = " ".join(text.split())
    if len(phrase) < SHORTEST:
        raise ValueError(f"a phrase has {SHORTEST} characters at least")
    return phrase
