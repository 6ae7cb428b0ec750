"""Reads [serve] of crawl.toml: whom the search page answers, and how often."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import urlsplit

from engine.config.audiences import AudienceConfig
from engine.config.oidc import OidcConfig
from engine.config.table import Table
from engine.errors import EngineError
from engine.url import canonicalize, host_name

REQUESTS_PER_SECOND = 10  # of one client; a person who types makes three completions a second
BURST = 40  # requests of one client at once: a page, its files, and a word typed fast, several times over
ANY_ORIGIN = "*"
MIN_PREFIX_LENGTH = {
    4: 12,
    6: 24,
}  # bits of a network of proxies on the open net; the widest of a CDN has so many
MANY_ADDRESSES = 65_536  # addresses of proxies, from which on one may ask whether all of them are
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}", re.ASCII)  # RFC 9110, 5.6.2
Network = IPv4Network | IPv6Network
_PRIVATE = ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
PRIVATE: tuple[Network, ...] = tuple(map(ip_network, _PRIVATE))
PLAYBACK = "https://web.archive.org/web/{timestamp}/{url}"  # for example
_ANY = "http://a.example/"


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Settings of the search page, checked as they are read; `requests_per_second` 0 = no limit."""

    cors_origins: tuple[
        str, ...
    ] = ()  # sites whose scripts may read the API, as browsers spell them; or ANY_ORIGIN
    trusted_proxies: tuple[Network, ...] = ()  # whose X-Forwarded-For is believed
    requests_per_second: int = REQUESTS_PER_SECOND
    burst: int = BURST
    allowed_hosts: tuple[
        str, ...
    ] = ()  # that the search page answers to, besides its address and its machine's names
    playback: str = ""  # of archives: a URL with {timestamp} and {url} in it
    admin_address: tuple[str, int] | None = None  # where alone the operator's pages are; None: at any address
    user_header: str = ""  # in which a trusted proxy tells who has logged in
    groups_header: str = ""  # and their groups, with commas between
    audiences: tuple[AudienceConfig, ...] = ()
    oidc: OidcConfig | None = None  # by which people sign in; None: a proxy tells who asks, or nobody


def read_server_config(
    table: Table, audiences: tuple[AudienceConfig, ...] = (), oidc: OidcConfig | None = None
) -> ServerConfig:
    """Reads the table [serve]. Raises EngineError for an invalid origin, host name or network, and where
    nobody tells who asks for the sake of audiences, or two do.
    """
    table.check_keys(
        *("cors_origins", "trusted_proxies", "allowed_hosts"),
        *("requests_per_second", "burst", "past_queries", "unanswered_query_days", "admin_address"),
        *("user_header", "groups_header", "playback"),
    )
    origins = table.parsed("cors_origins", _parse_origin, "https://www.example.org")
    if ANY_ORIGIN in origins and len(origins) > 1:
        raise EngineError(f'{table.where("cors_origins")}: "*" means every origin; write it alone')
    proxies = table.parsed("trusted_proxies", _parse_network, "10.0.0.5")
    user_header = _read_header(table, "user_header", "X-Forwarded-User")
    if oidc and user_header:
        raise EngineError(
            f"{oidc.where}: user_header in [serve] tells who asks as well; leave one of both out"
        )
    if oidc and not audiences:
        raise EngineError(f"{oidc.where}: nobody needs to sign in without an [[audience]]: write one")
    if audiences and not oidc and not (proxies and user_header):
        raise EngineError(
            f'{table.path}: [[audience]] needs [oidc], or trusted_proxies = ["127.0.0.1"] and user_header = '
            '"X-Forwarded-User" in [serve]: the web server that asks people for their login, and where it '
            "tells who they are, in place of what they send there themselves"
        )
    return ServerConfig(
        audiences=audiences,
        oidc=oidc,
        cors_origins=origins,
        trusted_proxies=proxies,
        requests_per_second=table.number("requests_per_second", REQUESTS_PER_SECOND),
        burst=table.number("burst", BURST, 1),
        allowed_hosts=table.parsed("allowed_hosts", _parse_host_name, "search.example.org"),
        playback=_parse_playback(table),
        admin_address=_parse_address(table),
        user_header=user_header,
        groups_header=_read_header(table, "groups_header", "X-Forwarded-Groups"),
    )


def _parse_origin(text: str) -> str:
    """Parses an origin as browsers send it: no port where it is the default (RFC 6454, section 6.1)."""
    if text == ANY_ORIGIN:
        return text
    parts = urlsplit(canonicalize(text))
    if parts.path != "/" or parts.query:
        raise ValueError("an origin has no path")
    return f"{parts.scheme}://{parts.netloc}"


def _parse_host_name(text: str) -> str:
    """Parses a host name as a browser writes it into Host, without a port: any port is accepted."""
    name = host_name(url := canonicalize(f"http://{text}"))
    if url != f"http://{name}/":
        raise ValueError("a name has no port and no path")
    return name


def _parse_address(table: Table) -> tuple[str, int] | None:
    """Parses host:port, None where there is none. Raises EngineError for what cannot be listened on."""
    text = table.text("admin_address")
    host, _, port = text.rpartition(":")
    if not text:
        return None
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 0x10000:
        raise EngineError(f'{table.where("admin_address")}: {text!r} is no address; write "127.0.0.1:8001"')
    return host.removeprefix("[").removesuffix("]"), int(port)


def _read_header(table: Table, key: str, usual: str) -> str:
    name = table.text(key)
    if name and not _HEADER.fullmatch(name):
        raise EngineError(f'{table.where(key)}: {name!r} is no name of a header; write "{usual}"')
    return name


def _parse_playback(table: Table) -> str:
    """Parses the template of a playback's URLs, '' without. Raises EngineError for what is none."""
    text = table.text("playback")
    try:
        canonicalize(text.replace("{timestamp}", "20261127").replace("{url}", "http://a.example/") or _ANY)
    except ValueError as error:
        raise EngineError(f"{table.where('playback')}: {text!r} is no URL; write {PLAYBACK!r}") from error
    if text and "{url}" not in text:
        raise EngineError(f"{table.where('playback')}: {text!r} lacks {{url}}; write {PLAYBACK!r}")
    return text


def _parse_network(text: str) -> Network:
    """Parses the network of trusted proxies; half of the Internet is a mistake."""
    network = ip_network(text)
    if network.prefixlen < MIN_PREFIX_LENGTH[network.version] and not _is_private(network):
        raise ValueError("so large a network has strangers in it, who would be trusted")
    return network


def _is_private(network: Network) -> bool:
    return any(
        # Python compares networks of one version alone.
        network.version == one.version and network.subnet_of(one)  # type: ignore[arg-type]
        for one in PRIVATE
    )
