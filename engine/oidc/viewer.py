"""Reads from a token who somebody is."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from engine.config import OidcConfig
from engine.oidc.id_token import SignInRefused

MAX_NAME = 256  # characters of a user, as in [[audience]]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who has signed in, and those of their groups that an [[audience]] names."""

    user: str
    groups: frozenset[str] = frozenset()


def read_viewer(
    claims: Mapping[str, Any], groups: object, config: OidcConfig, known_groups: Set[str]
) -> Viewer:
    """Reads who somebody is. Groups of which no [[audience]] knows are left out; a text is one group.

    Raises SignInRefused where nobody is named, and for a mail address that nobody has verified.
    """
    user = claims.get(config.user_claim)
    if not isinstance(user, str) or not 0 < len(user) <= MAX_NAME or not user.isprintable():
        raise SignInRefused(f"the token has no usable {config.user_claim!r}, which user_claim names")
    if config.user_claim == "email" and claims.get("email_verified") is not True:
        raise SignInRefused("the provider has not verified the mail address, which user_claim names")
    named = groups if isinstance(groups, list) else [groups]
    return Viewer(user, frozenset(one for one in named if isinstance(one, str) and one in known_groups))
