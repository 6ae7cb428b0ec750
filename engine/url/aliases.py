"""Applies the spellings that a host's own sites use to a URL (requirements 30-32, 37).

`canonicalize` knows syntax only. That a server ignores letter case, what its default pages are called,
which of its parameters name a session and which names are one machine, only an operator can say.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from engine.url.canonical import authority_of, canonicalize, host_name, host_of

# Parameters that say where a reader came from and never which page is meant: from the lists of
# github.com/mpchadwick/tracking-query-params-registry and github.com/AdguardTeam/AdguardFilters
# (TrackParamFilter/sections/general_url.txt) and the manuals of the vendors named here. Left out are
# words that mean content elsewhere, such as `ref`, `source` and `cid`.
TRACKING_PARAMS = tuple(
    " ".join(
        (
            "utm_* gclid gclsrc gbraid wbraid dclid srsltid _ga _gl",  # Google
            "fbclid igshid msclkid yclid ysclid _openstat",  # Facebook, Instagram, Microsoft, Yandex
            "twclid ttclid epik li_fat_id",  # X, TikTok, Pinterest, LinkedIn
            "mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp",  # Mailchimp, Marketo, HubSpot
            "_ke _kx dm_i vero_conv vero_id",  # Klaviyo, dotdigital, Vero
            "oly_anon_id oly_enc_id s_kwcid ef_id",  # Olytics, Adobe
            "mtm_* pk_campaign pk_kwd pk_medium pk_source",  # Matomo
        )
    ).split()
)
_ESCAPE = re.compile("%[0-9a-f]{2}")
_PROBE = "http://h/"  # a URL that has room for any path or query


def parse_hosts(text: str) -> tuple[str, ...]:
    """Parses the hosts that an operator means: `h:8080` that of http and of https, `https://h` one.

    Raises ValueError for what names no host.
    """
    spellings = (text,) if "://" in text else (f"http://{text}", f"https://{text}")
    urls = tuple(map(canonicalize, spellings))
    if any(url != f"{host_of(url)}/" for url in urls):
        raise ValueError("more than a host")
    return tuple(map(host_of, urls))


def are_twins(one: str, other: str) -> bool:
    """Tells whether two hosts differ only in `www.` or in http and https, both on their default ports."""
    return (
        one != other and _name_without_www(one) != "" and _name_without_www(one) == _name_without_www(other)
    )


def parse_page_name(text: str) -> str:
    """Canonicalizes the name of a default page. Raises ValueError for what is no name."""
    name = canonicalize(_PROBE + text).removeprefix(_PROBE)
    if not name or not {"/", "?", "#"}.isdisjoint(name + text):
        raise ValueError("no name of a page")
    return name


def parse_param_name(text: str) -> str:
    """Canonicalizes the name of a parameter, `*` at its end for every ending.

    Raises ValueError for what is no such name.
    """
    name = canonicalize(f"{_PROBE}?{text}").removeprefix(f"{_PROBE}?")
    if not name or "*" in name[:-1] or not {"&", "=", "#"}.isdisjoint(text):
        raise ValueError("no name of a parameter")
    return name


@dataclass(frozen=True, slots=True)
class KnownHost:
    """What the operator knows of one server; all in canonical spelling, as the functions above give it."""

    hosts: tuple[str, ...]  # its own name; with http and https when both are meant
    aliases: tuple[str, ...] = ()  # hosts that are this one as well
    ignore_case: bool = False
    index_names: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()

    def host_for(self, alias: str) -> str:
        """Returns the host that represents one of the aliases: of the same scheme if there is one."""
        scheme = alias.partition(":")[0]
        return next((host for host in self.hosts if host.startswith(f"{scheme}:")), self.hosts[0])


@dataclass(frozen=True)
class Aliases:
    """Which URLs are other spellings of one, beyond syntax; a host belongs to one KnownHost at most."""

    hosts: tuple[KnownHost, ...] = ()
    tracking: tuple[str, ...] = TRACKING_PARAMS  # dropped on every host
    twins: tuple[tuple[str, str], ...] = ()  # a host that proved to be another one, and that other one

    def resolve(self, url: str) -> str:
        """Resolves a canonical URL to the host's preferred spelling, also a canonical URL."""
        if self.twins:
            url = self.twin_of(url) or url
        if self.hosts and (known := self._known.get(host_of(url))):
            return known.apply(url)
        return _strip_params(self._tracking, url) if "?" in url else url

    def ignores_case(self, host: str) -> bool:
        """Tells whether letter case in paths means nothing to this host's server."""
        known = self._known.get(host)
        return known is not None and known.ignore_case

    def knows(self, host: str) -> bool:
        """Tells whether the operator has said something of a host."""
        return host in self._known

    def with_twins(self, twins: Iterable[tuple[str, str]]) -> "Aliases":
        """Adds these twins; one that represents a host represents that one's twins as well."""
        stands = dict(twins)
        flat = tuple((host, stands.get(twin, twin)) for host, twin in stands.items())
        return self if flat == self.twins else replace(self, twins=flat)

    def twin(self, host: str) -> str:
        """Returns the host that represents this one, '' for one that represents itself."""
        return self._stands.get(host, "")

    def twin_of(self, url: str) -> str:
        """Returns the URL on the host that represents this one's, '' where the host represents itself."""
        host = host_of(url)
        stands = self._stands.get(host)
        return stands + url[len(host) :] if stands else ""

    @cached_property
    def _stands(self) -> Mapping[str, str]:
        return dict(self.twins)

    @cached_property
    def _known(self) -> Mapping[str, "_HostSpelling"]:
        return {
            alias: _build_habits(known, alias, self.tracking)
            for known in self.hosts
            for alias in known.aliases + known.hosts
        }

    @cached_property
    def _tracking(self) -> re.Pattern[str]:
        return _compile_params(self.tracking)


NO_ALIASES = Aliases()  # nothing is known of any host: only tracking parameters go


@dataclass(frozen=True, slots=True)
class _HostSpelling:
    """How the URLs of one host are settled."""

    host: str
    ignore_case: bool
    index_names: frozenset[str]
    dropped: re.Pattern[str]

    def apply(self, url: str) -> str:
        path, mark, query = url[len(host_of(url)) :].partition("?")
        if self.ignore_case:
            path = _lower_path(path)
        directory, _, name = path.rpartition("/")
        if name in self.index_names:
            path = f"{directory}/"
        return _strip_params(self.dropped, f"{self.host}{path}{mark}{query}")


def _name_without_www(host: str) -> str:
    """Strips `www.` from the name of a host; '' where a port is written."""
    name = authority_of(f"{host}/")
    return name.removeprefix("www.") if name == host_name(f"{host}/") else ""


def _build_habits(known: KnownHost, alias: str, tracking: tuple[str, ...]) -> _HostSpelling:
    names = map(_lower_path, known.index_names) if known.ignore_case else known.index_names
    return _HostSpelling(
        host=known.host_for(alias),
        ignore_case=known.ignore_case,
        index_names=frozenset(names),
        dropped=_compile_params(tracking + known.drop_params),
    )


def _lower_path(path: str) -> str:
    """Lowercases a path, but for the digits of escapes (C31)."""
    return _ESCAPE.sub(lambda escape: escape[0].upper(), path.lower())


def _compile_params(params: Iterable[str]) -> re.Pattern[str]:
    """Compiles a pattern of a parameter of one of these names, with the & before it."""
    names = (re.escape(name.removesuffix("*")) + "[^&=]*" * name.endswith("*") for name in params)
    return re.compile(f"&(?:{'|'.join(names) or '(?!)'})(?:=[^&]*)?(?=&|$)")


def _strip_params(params: re.Pattern[str], url: str) -> str:
    """Strips these parameters, the others stay in order; an empty query goes with the last."""
    place, _, query = url.partition("?")
    kept, dropped = params.subn("", f"&{query}")
    if not dropped:
        return url
    return f"{place}?{kept[1:]}" if len(kept) > 1 else place
