"""Defines a secret that stands on a page."""

from typing import NamedTuple


class Secret(NamedTuple):
    """What kind of secret stands on a page and where: never the secret itself (engine.text.screening)."""

    kind: str  # private key, access key, password, card number
    line: int  # of the page's text, from 1; 0: outside of it
