"""Finds the addresses that hosts see of this machine, and checks that names lead to them (requirement 254).

An owner who meets a robot in a log looks up the name of its address, and whether that name leads back: what
only says that it is Lycosa has no such name.
"""

import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from ipaddress import ip_address

# Addresses that the way out is looked up for; nothing is sent to them (RFC 5737, RFC 3849).
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_ANY_PORT = 9


def find_source_addresses() -> tuple[str, ...]:
    """Finds the public addresses that this machine's requests leave from; none where a router hides them."""
    return tuple(address for address in _list_source_addresses() if ip_address(address).is_global)


def _list_source_addresses() -> Iterator[str]:
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way_out:  # no way, no address
            way_out.connect((elsewhere, _ANY_PORT))
            yield way_out.getsockname()[0]


def look_up_name(address: str) -> str:
    """Looks up the name of an address (PTR), '' where it has none."""
    try:
        return socket.gethostbyaddr(address)[0]
    except OSError:
        return ""


def look_up_addresses(name: str) -> Collection[str]:
    """Looks up the addresses of a name, none where there is no such name."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(name, None)}
    except (OSError, UnicodeError):
        return ()


def describe_nameless(
    addresses: Collection[str],
    name_of: Callable[[str], str] = look_up_name,
    addresses_of: Callable[[str], Collection[str]] = look_up_addresses,
) -> Iterator[str]:
    """Describes addresses without a name that leads back to them, a sentence each."""
    for address in addresses:
        name = name_of(address)
        if not name:
            what = "has no name (PTR record)"
        elif ip_address(address) not in map(ip_address, addresses_of(name)):
            what = f"has the name {name}, which does not lead back to it"
        else:
            continue
        yield (
            f"this machine's address {address} {what}: owners of sites cannot tell whose robot asks; the "
            "provider of the address sets its name"
        )
