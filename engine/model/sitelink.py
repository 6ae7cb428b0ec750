"""Links to the main sections of a hit's page."""

from typing import NamedTuple


class Sitelink(NamedTuple):
    """A main section of a page: its heading, and the URL that opens it."""

    title: str
    url: str
