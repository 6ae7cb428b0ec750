"""Requests one file of a host in the crawl's name: from a thread, in bounded time and memory."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPException
from threading import Timer
from time import monotonic
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from engine.middleware import Identity, PrivateHosts
from engine.model import Claim
from engine.url import canonicalize, host_name, host_of, is_public, port_of

MAX_SECONDS = 10.0  # for a request with all its redirects, however slowly the answer comes
CONNECT_SECONDS = 5.0  # for an address, and for TLS
MAX_REDIRECTS = 3  # within the host
MAX_ADDRESSES = 3  # of a name that are tried
MOVED = (301, 302, 303, 307, 308)


class FetchError(Exception):
    """There was no answer, or it led elsewhere; the word says why."""


class SmallFile(NamedTuple):
    """An answer, as much of its body as was wanted."""

    status: int
    body: bytes
    location: str  # '' without one


def fetch_small_file(url: str, identity: Identity, private: PrivateHosts, max_bytes: int) -> SmallFile:
    """Fetches the first bytes of a file, over redirects within its host. Raises FetchError.

    No name leads into the network that we run in: the address that was checked is the one that is connected.
    """
    host, until = host_of(url), monotonic() + MAX_SECONDS
    for _ in range(MAX_REDIRECTS + 1):
        answer = _request(url, identity, private, max_bytes, until)
        if answer.status not in MOVED:
            return answer
        try:
            url = canonicalize(urljoin(url, answer.location))
        except ValueError as error:
            raise FetchError("redirect") from error
        if host_of(url) != host:
            raise FetchError("redirect")
    raise FetchError("redirect")


def _request(url: str, identity: Identity, private: PrivateHosts, max_bytes: int, until: float) -> SmallFile:
    error: Exception = FetchError("address")  # none of them may be contacted
    for address in _list_addresses(url, private):
        connection = _make_connection(url, address)
        cut = Timer(max(0.0, until - monotonic()), _cut_off, (connection,))
        cut.daemon = True
        cut.start()
        try:
            with closing(connection):
                answer = _exchange(connection, url, identity, max_bytes)
            if monotonic() < until:
                return answer  # else it is what came until it was cut off
        except (urllib3.exceptions.HTTPError, HTTPException, OSError, ValueError) as failed:
            error = failed
        finally:
            cut.cancel()
        if monotonic() >= until:
            raise FetchError("no answer")
    raise error if isinstance(error, FetchError) else FetchError("no answer") from error


def _exchange(connection: HTTPConnection, url: str, identity: Identity, max_bytes: int) -> SmallFile:
    parts = urlsplit(url)
    headers = {**identity.headers(Claim(0, url, host_of(url))), "Host": parts.netloc, "Connection": "close"}
    headers["Accept-Encoding"] = "identity"  # nothing to unpack, nothing that swells
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    connection.request("GET", target, headers=headers, preload_content=False, decode_content=False)
    answer = connection.getresponse()
    body = b"" if answer.status in MOVED else answer.read(max_bytes)
    return SmallFile(answer.status, body, answer.headers.get("Location", ""))


def _make_connection(url: str, address: str) -> HTTPConnection:
    """Makes a connection to an address, on which the host has to show its certificate."""
    if url.startswith("http://"):
        return HTTPConnection(address, port_of(url), timeout=CONNECT_SECONDS)
    name = host_name(url).strip("[]")
    return HTTPSConnection(
        address, port_of(url), timeout=CONNECT_SECONDS, server_hostname=name, assert_hostname=name
    )


def _list_addresses(url: str, private: PrivateHosts) -> Iterator[str]:
    """Lists the addresses of a host that may be connected to. Raises FetchError where it has no address."""
    name, port = host_name(url), port_of(url)
    try:
        found = socket.getaddrinfo(name.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchError("no such host") from error
    addresses = dict.fromkeys(str(address[0]) for *_, address in found)
    allowed = [one for one in addresses if private.allows(name, port) or is_public(one)]
    yield from allowed[:MAX_ADDRESSES]


def _cut_off(connection: HTTPConnection) -> None:
    """Ends an exchange that takes too long, from another thread: a server may drip for ever."""
    with suppress(OSError):
        if connection.sock:
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
