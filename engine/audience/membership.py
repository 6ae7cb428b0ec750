"""Decides in which audiences somebody is, by a name and groups that somebody else has checked."""

from collections.abc import Collection, Iterable

from engine.audience.view import EVERYBODY, View
from engine.config import ANYBODY, AudienceConfig


def find_view(audiences: Iterable[AudienceConfig], user: str, groups: Collection[str]) -> View:
    """Finds what a user sees who is in these groups; '' is nobody whom a login has told."""
    if not user:
        return EVERYBODY
    names = {user, ANYBODY}
    return View(
        frozenset(one.name for one in audiences if names & one.users or one.groups.intersection(groups))
    )
