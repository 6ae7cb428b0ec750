"""Who we say we are, with every request (requirements 66-69, 253-255)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine import VERSION
from engine.page import Claim, Kind
from engine.robots import AGENT
from engine.text import READABLE

# What we read of each kind, and the rest last: servers answer 406 to those who take nothing else.
TYPES: Mapping[Kind, tuple[str, ...]] = {
    Kind.PAGE: tuple(sorted(READABLE)),
    Kind.PROBE: tuple(sorted(READABLE)),
    Kind.ROBOTS: ("text/plain",),
    Kind.SITEMAP: (
        "application/xml",
        "text/xml",
        "text/plain",
        "application/rss+xml",
        "application/atom+xml",
        "application/gzip",
    ),
}
ACCEPT = {kind: ", ".join((*types, "*/*;q=0.1")) for kind, types in TYPES.items()}


@dataclass(frozen=True, slots=True)
class Identity:
    """Who runs this crawler, made into headers.

    `contact` is an e-mail address or a URL, `public_url` where our own pages are reached; '' for none.
    """

    contact: str
    public_url: str = ""

    @property
    def user_agent(self) -> str:
        """Name, version, and where to read or write about us."""
        about = f"{self.public_url}/robot" if self.public_url else self.contact
        return f"{AGENT}/{VERSION} (+{about})" if about else f"{AGENT}/{VERSION}"

    @property
    def mailbox(self) -> str:
        """The contact when it is an e-mail address, '' when it is a URL that may have an @ as well."""
        return self.contact if "@" in self.contact and "/" not in self.contact else ""

    def headers(self, claim: Claim) -> dict[str, str]:
        """The request headers of a claim."""
        headers = {
            "User-Agent": self.user_agent,
            "Accept": ACCEPT[claim.kind],
            "Accept-Encoding": "gzip, deflate",
        }
        if self.mailbox:  # From is a mailbox (RFC 9110, 10.1.2)
            headers["From"] = self.mailbox
        if claim.referrer:
            headers["Referer"] = claim.referrer
        if claim.etag:
            headers["If-None-Match"] = claim.etag
        if claim.last_modified:
            headers["If-Modified-Since"] = claim.last_modified
        return headers
