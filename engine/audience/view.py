"""Defines which pages somebody may see: a page requires audiences, and a view has some."""

from collections.abc import Set
from dataclasses import dataclass

EVERYONE = "everyone"  # what the operator writes to open a site that would be hidden
NOBODY = "nobody"  # the audience of pages that lie behind a login, until theirs is named

Required = frozenset[str]
"""The audiences of a page, all of which one must be in to see it; none of a page that everybody may see."""

OPEN: Required = frozenset()


@dataclass(frozen=True, slots=True)
class View:
    """The audiences that somebody is in; None: the operator, who sees all that is in the folder.

    Of an index it is a view if that hides pages by the rules of this digest.
    """

    audiences: Set[str] | None = frozenset()
    digest: str = ""

    def admits(self, required: Required) -> bool:
        """Tells whether pages that require these audiences are seen."""
        return self.audiences is None or (required <= self.audiences and NOBODY not in required)


EVERYBODY = View()
OPERATOR = View(None)
