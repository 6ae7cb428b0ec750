"""Flags pages without content of their own, and pages with secrets."""

from dataclasses import replace

from engine.config import ScreeningConfig
from engine.model import Page, Secret
from engine.text.screening import BoilerplatePhrases, find_secrets


class PageScreen:
    """Flags pages by Lycosa's phrases and patterns and by the operator's."""

    def __init__(self, unwanted: ScreeningConfig = ScreeningConfig()) -> None:
        self._excuses = BoilerplatePhrases(unwanted.boilerplate_phrases)
        self._secrets = find_secrets if unwanted.quarantine_secrets else _none

    def screen(self, page: Page) -> Page:
        """Returns the page with its flag (requirement 85) and its secrets (requirement 284)."""
        flag, found = self._excuses.classify(page), self._secrets(page)
        return replace(page, flag=flag, secrets=found) if flag or found else page


def _none(_page: Page) -> tuple[Secret, ...]:
    return ()
