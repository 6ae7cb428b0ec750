"""Identifies who asks, as a trusted proxy tells or a session of theirs, and what they may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request

from engine.audience import EVERYBODY, View, find_view
from engine.config import AudienceConfig, Network, ServerConfig
from search_ui.server.clients import identify_peer
from search_ui.server.viewer_sessions import find_viewer


@dataclass(frozen=True, slots=True)
class ViewerPolicy:
    """Whom the operator has put into audiences, and which proxies tell who somebody is."""

    audiences: Sequence[AudienceConfig]
    proxies: Sequence[Network]
    user_header: str
    groups_header: str
    public_host: str = ""
    has_sessions: bool = False

    @classmethod
    def build(cls, serving: ServerConfig, public_url: str) -> Self:
        """Builds it of what crawl.toml says."""
        proxies, host = serving.trusted_proxies, urlsplit(public_url).hostname or ""
        return cls(
            serving.audiences, proxies, serving.user_header, serving.groups_header, host, bool(serving.oidc)
        )

    def find_view(self, request: Request) -> View:
        """Finds what the sender of a request may see.

        Everybody's view is given where another than a trusted proxy sends it, where the name comes twice (one
        of them is the client's own), and to scripts of other sites: these act for a person who never asked.
        """
        own_hosts = self.public_host, request.url.hostname or ""
        if _is_of_another_site(request.headers, own_hosts):
            return EVERYBODY
        if self.has_sessions:
            viewer = find_viewer(request.scope)
            return find_view(self.audiences, viewer.user, viewer.groups) if viewer else EVERYBODY
        if not self._is_of_proxy(request):
            return EVERYBODY
        users = request.headers.getlist(self.user_header)
        groups = ",".join(request.headers.getlist(self.groups_header)).split(",")
        user = _decode(users[0]) if len(users) == 1 else ""
        return find_view(self.audiences, user, {_decode(group) for group in groups})

    def _is_of_proxy(self, request: Request) -> bool:
        peer = identify_peer(request.scope["client"]).address
        return peer is not None and any(peer in network for network in self.proxies)


def _is_of_another_site(headers: Headers, own_hosts: Sequence[str]) -> bool:
    """Tells whether a page of another site makes the request, other than by a link that somebody follows.

    Sec-Fetch-Site tells (Fetch Metadata), where a browser sends it; else Origin.
    """
    if sites := headers.getlist("sec-fetch-site"):
        is_followed = headers.getlist("sec-fetch-mode") == ["navigate"]
        return not is_followed and any(site not in ("same-origin", "none") for site in sites)
    return any(_host_of(origin) not in own_hosts for origin in headers.getlist("origin"))


def _host_of(origin: str) -> str:
    """Returns the host of an origin, '*' for what has none."""
    try:
        return urlsplit(origin).hostname or "*"
    except ValueError:
        return "*"


def _decode(value: str) -> str:
    """Decodes a name that proxies send in UTF-8, of which a header's characters are the octets."""
    return value.encode("latin-1").decode("utf-8", "replace").strip()
