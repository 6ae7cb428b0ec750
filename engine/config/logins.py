"""Reads [[login]], [[proxy]] and ca_file of crawl.toml: how hosts of a company's network are reached.

No secret is in a Login, only where it is: it is read when a crawl begins (engine.login), so that it is in the
memory of no other process.
"""

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from engine.config.table import Table, compile_pattern, parse_word
from engine.errors import EngineError
from engine.url import canonicalize, host_of, parse_hosts

_SECRET = ("secret_env", "secret_file")
_KEYS = {
    "basic": ("user", *_SECRET),  # RFC 7617
    "bearer": _SECRET,  # RFC 6750
    "cookies": ("secret_file", "url"),
    "form": ("url", "fields", "success", *_SECRET),
    "certificate": ("certificate", "key"),
}
"""What each kind needs, or may have, besides host, kind and logout."""
KINDS = tuple(_KEYS)
_NEEDED = {
    "basic": ("user",),
    "cookies": ("secret_file",),
    "form": ("url",),
    "certificate": ("certificate", "key"),
}
_EXAMPLES = {
    "user": '"crawler"',
    "url": '"https://intranet.example.org/login"',
    "secret_file": '"cookies.txt"',
    "certificate": '"crawler.pem"',
    "key": '"crawler.key"',
}
# What ends a session, wherever it stands in a path or a query: engine.url.traps, whose rule is for all hosts,
# has to spare pages about it.
_LOGOUT = re.compile(r"(?:log|sign)[-_]?(?:out|off)|(?:end|kill|destroy)[-_]?session", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where a secret is: in a variable of the environment, or in a file that nobody else can read."""

    variable: str = ""
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Login:
    """How the crawler proves to one host who it is; it holds no secret."""

    host: str  # scheme://name[:port], as engine.url.host_of returns it
    kind: str  # one of KINDS
    where: str = ""  # in crawl.toml, for messages
    user: str = ""
    secret: SecretPlace = SecretPlace()
    url: str = ""  # the page that asks for the login; with a form, on the host itself
    fields: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # of the form, besides the secret's
    success: re.Pattern[str] | None = None  # found on the page after the form; None: that page has no form
    logout: tuple[re.Pattern[str], ...] = ()  # URLs that end the session, besides the usual ones
    certificate: Path | None = None
    key: Path | None = None

    def refusal(self, url: str) -> str:
        """Returns why a canonical URL of this host is never requested as a page: login, logout; '' if it may.

        The login is requested by engine.login alone: no link of a stranger sends anything there.
        """
        if self.url and _without_query(url) == _without_query(self.url):
            return "login"
        if _LOGOUT.search(url, len(self.host)) or any(one.search(url) for one in self.logout):
            return "logout"
        return ""


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy (RFC 9110, 3.7) for hosts that are named one by one, and for no other."""

    hosts: frozenset[str]
    url: str  # http://name:port
    user: str = ""  # '' where it asks nobody who he is
    secret: SecretPlace = SecretPlace()
    where: str = ""  # in crawl.toml, for messages

    @property
    def address(self) -> tuple[str, int]:
        """Name and port of the proxy."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or 80


def read_logins(table: Table) -> tuple[Login, ...]:
    """Reads all [[login]]. Raises EngineError for one that cannot be used, and for a host that has two."""
    logins: dict[str, Login] = {}
    for row in table.tables("login"):
        login = _read_login(row)
        if login.host in logins:
            raise EngineError(f"{row.where('host')}: {login.host} is in an earlier [[login]]; write it once")
        logins[login.host] = login
    return tuple(logins.values())


def _read_login(table: Table) -> Login:
    if not (name := table.text("host")):
        raise EngineError(f'{table.where("login")}: a [[login]] needs host = "intranet.example.org"')
    host = parse_word(name, _parse_host, table.where("host"), "intranet.example.org")
    if not table.text("kind"):
        raise EngineError(f"{table.where('login')}: a [[login]] needs kind = ..., one of {', '.join(KINDS)}")
    kind = table.choice("kind", KINDS)
    table.check_keys("host", "kind", "logout", *_KEYS[kind])
    for key in _NEEDED.get(kind, ()):
        if not table.text(key):
            raise EngineError(f"{table.where('kind')}: {kind!r} needs {key} = {_EXAMPLES[key]}")
    return Login(
        host,
        kind,
        table.where("host"),
        _read_user(table),
        SecretPlace() if kind == "certificate" else _read_secret_place(table, "kind"),
        _read_url(table, host, kind),
        _read_fields(table.table("fields")),
        compile_pattern(table.text("success"), table.where("success")),
        tuple(filter(None, (compile_pattern(text, table.where("logout")) for text in table.texts("logout")))),
        _path(table.text("certificate")),
        _path(table.text("key")),
    )


def _parse_host(text: str) -> str:
    """Parses a host; https unless http:// is written: nothing secret is sent readably by mistake."""
    if "*" in text:
        raise ValueError("more than a host")
    [host] = parse_hosts(text if "://" in text else f"https://{text}")
    return host


def _read_user(table: Table) -> str:
    user = table.text("user")
    if ":" in user or not user.isprintable():  # RFC 7617, 2
        raise EngineError(f"{table.where('user')}: a user name has no colon and no control characters")
    return user


def _read_secret_place(table: Table, key: str) -> SecretPlace:
    """Reads where the secret is that the value of a key needs. Raises EngineError for none, and for two."""
    variable, file = table.text("secret_env"), _path(table.text("secret_file"))
    if bool(variable) == bool(file):
        raise EngineError(
            f"{table.where(key)}: {table.text(key)!r} needs either "
            'secret_env = "NAME" or secret_file = "PATH"'
        )
    return SecretPlace(variable, file)


def _read_url(table: Table, host: str, kind: str) -> str:
    if not (text := table.text("url")):
        return ""
    url = parse_word(text, canonicalize, table.where("url"), "https://intranet.example.org/login")
    if kind == "form" and host_of(url) != host:
        raise EngineError(
            f"{table.where('url')}: {url} is not on {host}, to which alone the secret is sent; write a page "
            "of that host, or the other host above it"
        )
    return url


def _read_fields(table: Table) -> tuple[tuple[str, str], ...]:
    return tuple((name, table.text(name)) for name in table.values)


def _path(text: str) -> Path | None:
    return Path(text).expanduser() if text else None


def _without_query(url: str) -> str:
    return url.partition("?")[0].rstrip("/")


def read_proxies(table: Table) -> tuple[Proxy, ...]:
    """Reads all [[proxy]]. Raises EngineError for one that cannot be used, and for a host that has two."""
    proxies, taken = [], set[str]()
    for row in table.tables("proxy"):
        row.check_keys("hosts", "url", "user", *_SECRET)
        proxy = Proxy(
            frozenset(itertools.chain.from_iterable(row.parsed("hosts", _parse_named, "wiki.example.org"))),
            parse_word(row.text("url"), _parse_proxy_url, row.where("url"), "http://proxy.example.org:3128"),
            _read_user(row),
            _read_proxy_secret(row),
            row.where("url"),
        )
        if not proxy.hosts:
            raise EngineError(f'{row.where("proxy")}: a [[proxy]] needs hosts = ["wiki.example.org"]')
        if twice := sorted(taken & proxy.hosts):
            raise EngineError(f"{row.where('hosts')}: {twice[0]} is in an earlier [[proxy]]; write it once")
        proxies.append(proxy)
        taken |= proxy.hosts
    return tuple(proxies)


def _read_proxy_secret(table: Table) -> SecretPlace:
    if table.text("user"):
        return _read_secret_place(table, "user")
    if named := [key for key in _SECRET if table.text(key)]:
        raise EngineError(f'{table.where(named[0])}: a secret of a proxy needs user = "crawler"')
    return SecretPlace()


def _parse_named(text: str) -> tuple[str, ...]:
    """Parses a host by its whole name: by a pattern, names of strangers would reach the proxy's network."""
    if "*" in text:
        raise ValueError("more than a host")
    return parse_hosts(text)


def _parse_proxy_url(text: str) -> str:
    url = canonicalize(text)
    if not url.startswith("http://") or url != f"{host_of(url)}/":
        raise ValueError("no address of an HTTP proxy")
    return url.rstrip("/")


def read_ca_file(table: Table) -> Path | None:
    """Reads the path of certificates that are trusted besides the system's; None where there is none."""
    return _path(table.text("ca_file"))
