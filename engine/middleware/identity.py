"""Identifies the crawler in every request (requirements 66-69, 253-255)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine import VERSION
from engine.formats import BY_MEDIA_TYPE, READABLE
from engine.model import Claim, Purpose
from engine.robots import AGENT
from engine.url import host_of

REST = "*/*;q=0.1"  # servers answer 406 to those who take nothing else
OTHERS: Mapping[Purpose, tuple[str, ...]] = {
    Purpose.ROBOTS: ("text/plain",),
    Purpose.SITEMAP: (
        "application/xml",
        "text/xml",
        "text/plain",
        "application/rss+xml",
        "application/atom+xml",
        "application/gzip",
    ),
    Purpose.FEED: (
        "application/atom+xml",
        "application/rss+xml",
        "application/rdf+xml",
        "text/x-opml",
        "application/xml",
        "text/xml",
    ),
    Purpose.RESOURCE: (),
}
"""What we read that is no page."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The operator's name and addresses, made into request headers.

    `contact` is an e-mail address or a URL, `public_url` where our own pages are reached; '' for none.
    """

    contact: str
    public_url: str = ""
    types: frozenset[str] = READABLE  # media types of the pages that are read

    @property
    def user_agent(self) -> str:
        """Name, version, and a URL or address to read or write about us."""
        about = f"{self.public_url}/robot" if self.public_url else self.contact
        return f"{AGENT}/{VERSION} (+{about})" if about else f"{AGENT}/{VERSION}"

    @property
    def mailbox(self) -> str:
        """The contact when it is an e-mail address, '' when it is a URL that may have an @ as well."""
        return self.contact if "@" in self.contact and "/" not in self.contact else ""

    def headers(self, claim: Claim) -> dict[str, str]:
        """Returns the request headers of a claim."""
        headers = {
            "User-Agent": self.user_agent,
            "Accept": self._accept(claim.kind),
            "Accept-Encoding": "gzip, deflate",
        }
        if self.mailbox:  # From is a mailbox (RFC 9110, 10.1.2)
            headers["From"] = self.mailbox
        if claim.referrer and host_of(claim.referrer) == host_of(
            claim.url
        ):  # no stranger hears of another host
            headers["Referer"] = claim.referrer
        if claim.etag:
            headers["If-None-Match"] = claim.etag
        if claim.last_modified:
            headers["If-Modified-Since"] = claim.last_modified
        return headers

    @property
    def login_headers(self) -> dict[str, str]:
        """Returns the request headers of a login, whose page is read here and not unpacked."""
        headers = self.headers(Claim(0, "http://login/", "http://login"))
        return {name: value for name, value in headers.items() if name != "Accept-Encoding"}

    def _accept(self, kind: Purpose) -> str:
        """Returns the Accept header of a kind of claim, preferred types first."""
        liked = (one for one in BY_MEDIA_TYPE.items() if one[0] in self.types)
        pages = [name if row.quality == 1 else f"{name};q={row.quality}" for name, row in liked]
        return ", ".join([*OTHERS.get(kind, pages), REST])
