"""Decides which audiences a page requires, by its URL alone: so before anything of it is read."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import compress

from engine.audience.view import EVERYONE, NOBODY, OPEN, Required
from engine.config import Config, Login, SiteConfig, Table
from engine.errors import EngineError
from engine.model import Links, Reading
from engine.url import Aliases, Scope, SitePattern, canonicalize, host_of

PATTERN = "pattern"  # beside the scopes of [[site]]: sites as `site:` has them
FINGERPRINT_BYTES, KEY_BYTES = 16, 8


@dataclass(frozen=True)
class AudienceRule:
    """Pages of a site require an audience. `include` and `exclude` of a [[site]] narrow what is crawled, not
    this: what was crawled before they were written stays hidden.
    """

    audience: str
    kind: str  # a scope of [[site]], or PATTERN
    sites: tuple[str, ...]  # seeds of the scope, canonical; or patterns
    is_default: bool = False  # holds where no rule does that is none

    @cached_property
    def matches(self) -> Callable[[str], bool]:
        """Tells whether a canonical URL is of the site."""
        if self.kind != PATTERN:
            scope = Scope(self.kind, self.sites)
            return lambda url: not scope.refusal(url)
        patterns = [one for one in map(SitePattern.parse, self.sites) if one]
        return lambda url: any(pattern.matches(url) for pattern in patterns)


@dataclass(frozen=True)
class AudienceRules:
    """What the operator has written of who may see which pages; without rules everybody sees all."""

    rules: tuple[AudienceRule, ...] = ()

    def require(self, url: str) -> Required:
        """Returns the audiences that the page of a canonical URL requires."""
        found = [rule for rule in self.rules if rule.matches(url)]
        written = [rule for rule in found if not rule.is_default]
        return frozenset(rule.audience for rule in written or found) - {EVERYONE}

    @cached_property
    def digest(self) -> str:
        """Returns a digest that differs for rules by which another page may be hidden; '' without rules."""
        return sha256(self.dump().encode()).hexdigest() if self.rules else ""

    def dump(self) -> str:
        """Dumps the rules as JSON, for another process."""
        return json.dumps([asdict(rule) for rule in self.rules])

    def are_apart(self, one: str, other: str) -> bool:
        """Tells whether the pages of two URLs have different readers: neither may stand for the other."""
        return bool(self.rules) and self.require(one) != self.require(other)

    def seal(self, reading: Reading, url: str) -> Reading:
        """Seals what pages are compared by: none of other readers has the same, however equal they are."""
        required = self.require(url) if self.rules else OPEN
        if not required or not reading.fingerprint:
            return reading
        keys = [_seal_key(key, required) for key in reading.near]
        return replace(reading, fingerprint=_seal(reading.fingerprint, required), near=keys)

    def group(self, url: str) -> str:
        """Returns a name that pages share which are of one host and have the same readers."""
        required = self.require(url) if self.rules else OPEN
        return " ".join((host_of(url), *sorted(required)))

    def select_links(self, url: str, links: Links) -> Links:
        """Selects the links of a page of which others may learn: all of an open one, and of a hidden one
        those to pages of the same readers. What it calls other pages, and how often, is known to nobody else.
        """
        required = self.require(url) if self.rules else OPEN
        if not required:
            return links
        kept = [self.require(target) == required for target in links.urls]
        return Links._make(list(compress(column, kept)) for column in links)


OPEN_TO_ALL = AudienceRules()


def load_audience_rules(dumped: str) -> AudienceRules:
    """Loads what was dumped."""
    rules = [{**row, "sites": tuple(row["sites"])} for row in json.loads(dumped)]
    return AudienceRules(tuple(AudienceRule(**row) for row in rules))


def read_audience_rules(config: Config) -> AudienceRules:
    """Reads the rules of crawl.toml.

    Raises EngineError for an audience that it does not define, for seeds in a file, which those who decide
    about a page never read, and for an index in a cluster, whose counts know no readers.
    """
    known = {EVERYONE, NOBODY, *(one.name for one in config.server.audiences)}
    written = (*_read_sites(config.sites, config.aliases), *_read_labels(config.labels))
    for rule in written:
        if rule.audience not in known:
            raise EngineError(
                f'audience = "{rule.audience}" is not defined: write [[audience]] with name = '
                f'"{rule.audience}", and who is in it'
            )
    rules = AudienceRules((*written, *_read_logins(config.logins)))
    hides = any(rule.audience != EVERYONE for rule in written) or any(
        rules.require(f"{login.host}/") for login in config.logins
    )
    if config.cluster_url and hides:
        raise EngineError(
            "an index in a cluster hides no pages: leave out `index`; or write no other audience than "
            '"everyone", which the [[site]] of a host with a [[login]] needs then'
        )
    return OPEN_TO_ALL if config.cluster_url else rules


def _read_sites(sites: Iterable[SiteConfig], aliases: Aliases) -> Iterator[AudienceRule]:
    for site in sites:
        if site.audience:
            seeds = tuple(aliases.resolve(_canonicalize(seed)) for seed in (*site.seeds, *site.feeds))
            yield AudienceRule(site.audience, site.scope, seeds)


def _canonicalize(seed: str) -> str:
    try:
        return canonicalize(seed)
    except ValueError as error:
        raise EngineError(
            f"a [[site]] with an audience needs the URLs of its seeds in crawl.toml: {seed!r}: {error}"
        ) from error


def _read_labels(labels: Sequence[Table]) -> Iterator[AudienceRule]:
    for label in labels:
        if audience := label.text("audience"):
            yield AudienceRule(audience, PATTERN, label.parsed("sites", _check_site, "www.example.org/docs"))


def _check_site(text: str) -> str:
    if SitePattern.parse(text) is None:
        raise ValueError("no host, and no address that others begin with")
    return text


def _read_logins(logins: Iterable[Login]) -> Iterator[AudienceRule]:
    """Reads the rules of hosts behind a login: nobody sees their pages until an audience is written."""
    for login in logins:
        yield AudienceRule(NOBODY, PATTERN, (f"{login.host}/",), is_default=True)


def _seal(fingerprint: bytes, required: Required) -> bytes:
    readers = "\0".join(sorted(required)).encode()
    return sha256(fingerprint + readers).digest()[:FINGERPRINT_BYTES]


def _seal_key(key: int, required: Required) -> int:
    sealed = _seal(key.to_bytes(KEY_BYTES, signed=True), required)
    return int.from_bytes(sealed[:KEY_BYTES], signed=True)
