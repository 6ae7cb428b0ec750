"""Makes the reading of a page anew after an own spider has changed what was read."""

from dataclasses import replace

from engine.config import Duplicates
from engine.model import Page, Reading
from engine.packing import pack
from engine.text.duplicates import compute_digests
from engine.workers.page_screen import PageScreen


def renew_reading(reading: Reading, page: Page, screen: PageScreen, duplicates: Duplicates) -> Reading:
    """Returns the reading with the texts of `page`; what its owner asks of robots stays as it was read."""
    page = screen.screen(replace(page, flag=None, secrets=()))
    digests = compute_digests(page, near=duplicates.near_duplicates, links=duplicates.require_same_links)
    return replace(
        reading,
        language=page.language,
        fingerprint=digests.fingerprint,
        shape=digests.shape,
        near=digests.near,
        content=pack(page),
        flag=page.flag,
        secrets=page.secrets,
    )
