"""Screens pages: finds boilerplate pages (errors, captchas, parked domains) and secrets."""

from engine.text.screening.boilerplate_pages import BoilerplatePhrases
from engine.text.screening.secrets import find_secrets

__all__ = [
    "BoilerplatePhrases",
    "find_secrets",
]
