"""Reads [screening] of crawl.toml: what else must not get into the index."""

from dataclasses import dataclass

from engine.config.table import Table
from engine.errors import EngineError

MIN_PHRASE = 4  # characters; a phrase of less stands on every page
MAX_PHRASES = 1_000  # each is looked for on every short page


@dataclass(frozen=True, slots=True)
class ScreeningConfig:
    """More phrases of error pages (requirement 85), and whether secrets are looked for."""

    boilerplate_phrases: tuple[str, ...] = ()
    quarantine_secrets: bool = True  # pages with some go into quarantine (requirement 284)


def read_screening(table: Table) -> ScreeningConfig:
    """Reads the table [screening]. Raises EngineError for what cannot be a phrase."""
    table.check_keys("boilerplate_phrases", "quarantine_secrets")
    phrases = table.parsed("boilerplate_phrases", _parse_phrase, "your browser cannot show this")
    if len(phrases) > MAX_PHRASES:
        raise EngineError(f"{table.where('boilerplate_phrases')}: write {MAX_PHRASES:,} phrases at most")
    return ScreeningConfig(phrases, table.flag("quarantine_secrets", default=True))


def _parse_phrase(text: str) -> str:
    phrase = " ".join(text.split())
    if len(phrase) < MIN_PHRASE:
        raise ValueError(f"a phrase has {MIN_PHRASE} characters at least")
    return phrase
