"""Identifies clients: by their address, or by what a known proxy says of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

from engine.config import PRIVATE, Network

FORWARDED = ("x-forwarded-for", "forwarded", "via", "x-real-ip")  # what a web server before us may add
IPV6_CUSTOMER_BITS = (
    64  # of an IPv6 address: what one customer has at least (RFC 6177), so the rest is his to choose
)
# Of a network key, which one person may choose: of a line with an IPv4 /24, of a tunnel with an IPv6 /48.
PERSON_BITS = {4: 8, 6: 16}
MAX_PROXIES = 8  # one behind the other, beyond which nobody has any
_WITH_PORT = re.compile(r'"?(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::[0-9]{1,5})?"?', re.ASCII)

Address = IPv4Address | IPv6Address
NetworkKey = tuple[int, int]  # version of IP, 0 if unknown, and a number below 2**64


@dataclass(frozen=True, slots=True)
class Client:
    """A client by its address, None if unknown; `is_forwarded` if an untrusted proxy stands before it."""

    address: Address | None
    is_forwarded: bool = False

    @property
    def is_loopback(self) -> bool:
        """Tells whether it is on this machine."""
        return self.address is not None and self.address.is_loopback

    @property
    def is_local(self) -> bool:
        """Tells whether it is on this machine, and no web server there that asks for another."""
        return self.is_loopback and not self.is_forwarded

    @property
    def network_key(self) -> NetworkKey:
        """Returns what all addresses have in common that one client may choose from: IPv4, or an IPv6 /64."""
        if self.address is None:
            return 0, 0
        drop = IPV6_CUSTOMER_BITS if self.address.version == 6 else 0
        return self.address.version, int(self.address) >> drop

    @property
    def person_key(self) -> NetworkKey:
        """Returns what all addresses have in common that one person may have: an IPv4 /24, an IPv6 /48.

        In a private network a person has one of them.
        """
        version, network = self.network_key
        if self.address is None or any(self.address in one for one in PRIVATE):
            return version, network
        return version, network >> PERSON_BITS[version]


def identify_peer(peer: tuple[str, int] | None) -> Client:
    """Identifies the client at the other end of a connection, by its socket (None for no network socket)."""
    return Client(_address(peer[0] if peer else ""))


def identify_client(scope: Scope, proxies: Sequence[Network]) -> Client:
    """Identifies the client of a request: X-Forwarded-For is read from the right, through trusted proxies."""
    headers = Headers(scope=scope)
    peer = address = identify_peer(scope["client"]).address
    hops = ",".join(headers.getlist("x-forwarded-for")).split(",")
    for hop in hops[: -MAX_PROXIES - 1 : -1]:
        if address is None or not any(address in network for network in proxies):
            break
        before = _address(hop.strip())
        if before is None:
            break
        address = before
    return Client(address, address is peer and any(name in headers for name in FORWARDED))


def is_direct(scope: Scope) -> bool:
    """Tells whether a client on this machine asks us itself, over no web server that says so."""
    headers = Headers(scope=scope)
    is_forwarded = any(name in headers for name in (*FORWARDED, "x-forwarded-proto"))
    return identify_peer(scope["client"]).is_loopback and not is_forwarded


def find_proxied_origin(scope: Scope, proxies: Sequence[Network]) -> str:
    """Finds the origin that the client of a trusted proxy asked for, '' where none tells.

    The proxy tells the scheme by X-Forwarded-Proto, and passes on a Host, which was admitted before.
    """
    headers = Headers(scope=scope)
    peer = identify_peer(scope["client"]).address
    scheme, host = headers.get("x-forwarded-proto", "").strip().lower(), headers.get("host", "")
    is_trusted = peer is not None and any(peer in network for network in proxies)
    return f"{scheme}://{host}" if is_trusted and scheme in ("http", "https") and host else ""


def _address(text: str) -> Address | None:
    """Parses an address, with a port or not (RFC 7239, 6); IPv4 within IPv6 is IPv4."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        address = ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
