"""Who we say we are, with every request (requirements 66-69, 253-255)."""

from dataclasses import dataclass

from engine import VERSION
from engine.page import Claim
from engine.robots import AGENT
from engine.text import READABLE

ACCEPT = ", ".join((*sorted(READABLE), "*/*;q=0.1"))  # servers answer 406 to those who take nothing else


@dataclass(frozen=True, slots=True)
class Identity:
    """The operator's contact, an e-mail address or a URL, made into headers."""

    contact: str

    @property
    def user_agent(self) -> str:
        """Name, version, and where to read or write about us."""
        return f"{AGENT}/{VERSION} (+{self.contact})" if self.contact else f"{AGENT}/{VERSION}"

    def headers(self, claim: Claim) -> dict[str, str]:
        """The request headers of a claim."""
        headers = {
            "User-Agent": self.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": "gzip, deflate",
        }
        if "@" in self.contact:  # From is a mailbox (RFC 9110, 10.1.2)
            headers["From"] = self.contact
        if claim.referrer:
            headers["Referer"] = claim.referrer
        if claim.etag:
            headers["If-None-Match"] = claim.etag
        if claim.last_modified:
            headers["If-Modified-Since"] = claim.last_modified
        return headers
