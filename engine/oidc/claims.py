"""Finds a claim by its name, or by the path to it."""

from collections.abc import Mapping
from typing import Any


def find_claim(claims: Mapping[str, Any], name: str) -> Any:
    """Finds the value of a claim, None where it is not there.

    A name is tried before a path (`realm_access.roles`), in each object anew: names may have dots in them
    (`https://example.org/groups`), as those of Keycloak's clients (`resource_access.CLIENT.roles`).
    """
    if name in claims:
        return claims[name]
    for place, letter in enumerate(name):
        below = claims.get(name[:place]) if letter == "." else None
        if isinstance(below, Mapping) and (found := find_claim(below, name[place + 1 :])) is not None:
            return found
    return None
