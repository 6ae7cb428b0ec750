"""What a page is marked with before it goes on: that it has nothing to say."""

from dataclasses import replace

from engine.config import Unwanted
from engine.page import Page
from engine.text.excuses import Excuses


class Sieve:
    """Marks pages by what Lycosa knows and what the operator has added."""

    def __init__(self, unwanted: Unwanted = Unwanted()) -> None:
        self._excuses = Excuses(unwanted.phrases)

    def sifted(self, page: Page) -> Page:
        """The page with its flag (requirement 85)."""
        flag = self._excuses.flag(page)
        return replace(page, flag=flag) if flag else page
