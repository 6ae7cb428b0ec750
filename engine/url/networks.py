"""Classifies addresses: networks that are no part of the public Internet.

A list of our own, so that the same addresses are refused whatever the Python below knows. It follows IANA's
registries (that of IPv6 as of 2025-10-09; RFC 6890, RFC 8190), and denies as well what these call globally
reachable where that is a protocol's own address, at which there is no site:
https://www.iana.org/assignments/iana-ipv4-special-registry
https://www.iana.org/assignments/iana-ipv6-special-registry
https://www.iana.org/assignments/ipv6-address-space
"""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

MAX_MACHINES = 16_384  # addresses remembered, some 5 MB

_DENIED_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network (RFC 791): Linux takes 0.0.0.0 for itself
            "10.0.0.0/8",  # RFC 1918
            "100.64.0.0/10",  # of a provider and its customers (RFC 6598); a cloud keeps its keys there
            "127.0.0.0/8",  # loopback (RFC 1122)
            "168.63.129.16/32",  # Azure's own services, on every virtual machine there
            "169.254.0.0/16",  # link-local (RFC 3927): where clouds keep their keys
            "172.16.0.0/12",  # RFC 1918
            "192.0.0.0/24",  # IETF protocols (RFC 6890); 192.0.0.192 is a cloud's
            "192.0.2.0/24",  # documentation (RFC 5737)
            "192.31.196.0/24",  # AS112 (RFC 7535)
            "192.52.193.0/24",  # AMT (RFC 7450)
            "192.88.99.0/24",  # relays of 6to4, given up (RFC 7526)
            "192.168.0.0/16",  # RFC 1918
            "192.175.48.0/24",  # AS112 (RFC 7534)
            "198.18.0.0/15",  # benchmarks (RFC 2544)
            "198.51.100.0/24",  # documentation (RFC 5737)
            "203.0.113.0/24",  # documentation (RFC 5737)
            "224.0.0.0/4",  # multicast (RFC 5771)
            "240.0.0.0/4",  # reserved, and broadcast (RFC 1112, RFC 8190)
        ),
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")  # all that was ever given out as global unicast (RFC 4291, 2.4)
_DENIED_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # IETF protocols: Teredo, benchmarks, ORCHID and others (RFC 2928)
            "2001:db8::/32",  # documentation (RFC 3849)
            "2002::/16",  # 6to4, whose relays are gone (RFC 7526): who answers is in the local network
            "2620:4f:8000::/48",  # AS112 (RFC 7534)
            "3ffe::/16",  # the 6bone, given back (RFC 3701)
            "3fff::/20",  # documentation (RFC 9637)
        ),
    )
)
# IPv6 forms of an IPv4 address that are judged by it, as a connection goes to that address. Every other way
# to carry one (IPv4-compatible, SIIT, 6to4, Teredo, ISATAP, NAT64 under a local prefix) is denied, whatever
# it carries: it is given up, or leads through a gateway of the local network.
_CARRIERS = (
    IPv6Network("::ffff:0:0/96"),  # IPv4-mapped (RFC 4291, 2.5.5.2): the system itself uses IPv4
    IPv6Network("64:ff9b::/96"),  # NAT64 (RFC 6052): on a network without IPv4 every IPv4 site is there
)
_LAST_32 = 0xFFFF_FFFF
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)  # RFC 5214, 6.1: before an IPv4 address of the same site

# Domains that no public DNS has, or ever will have: the last label of a name, or the last two.
_LOCAL_DOMAINS = (
    *("localhost", "local", "home.arpa"),  # RFC 6761, RFC 6762, RFC 8375
    "internal",  # ICANN's board, 2024-07-29: kept for private use
    *("intranet", "private", "corp", "home", "lan"),  # RFC 6762, appendix G: used so already
    "localdomain",  # as many systems call the network that they are in
)
_LOCAL_ENDS = tuple(f".{domain}" for domain in _LOCAL_DOMAINS)


def is_public(address: str) -> bool:
    """Tells whether an address is of the open Internet; False for junk, and with a zone: a local link."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public_4(parsed) if isinstance(parsed, IPv4Address) else _is_public_6(parsed)


@lru_cache(maxsize=MAX_MACHINES)
def machine_network(address: str) -> str:
    """Returns what one machine answers at: an IPv4 address, or an IPv6 /64 (RFC 6177: a household's)."""
    if ":" not in address:
        return address
    return str(ip_network(f"{address.partition('%')[0]}/64", strict=False))


def is_local(host: str) -> bool:
    """Tells whether a canonical URL's host is known to be none of the open Internet's.

    Other names may turn out to be: their addresses tell.
    """
    name = host.strip("[]").rstrip(".")
    if ":" in name or name.rpartition(".")[2].isdigit():  # a canonical URL has no other form of an address
        return not is_public(name)
    return "." not in name or name.endswith(_LOCAL_ENDS)


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _DENIED_4)


def _is_public_6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    if any(address in carrier for carrier in _CARRIERS):
        return _is_public_4(IPv4Address(int(address) & _LAST_32))
    if address not in _GLOBAL_6 or any(address in network for network in _DENIED_6):
        return False
    return int(address) >> 32 & _LAST_32 not in _ISATAP
