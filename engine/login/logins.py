"""Opens the logins of crawl.toml for one crawl."""

import os
from collections.abc import Mapping

from engine.config import Config, Login
from engine.login.basic import read_proxy_credentials
from engine.login.cookies import read_cookie_file
from engine.login.secrets import read_secret
from engine.login.session import Session
from engine.login.tls import make_tls_policy


class Logins:
    """The sessions of a crawl by their hosts, scheme://name[:port]."""

    def __init__(self, sessions: Mapping[str, Session] = {}) -> None:
        self._sessions = sessions

    def find(self, host: str) -> Session | None:
        """Finds the session of a host, None where anybody may read its pages."""
        return self._sessions.get(host)

    @property
    def outcomes(self) -> Mapping[str, str]:
        """Why the login to a host failed, '' where it works; of others nothing is known."""
        known = (one for one in self._sessions.values() if one.failure or one.works)
        return {one.login.host: one.failure for one in known}


def open_logins(config: Config, headers: Mapping[str, str]) -> Logins:
    """Reads all secrets; `headers` say who crawls. Raises EngineError for one that cannot be had."""
    return Logins({login.host: _open(login, headers) for login in config.logins})


def check_logins(config: Config) -> None:
    """Reads all that crawl.toml names of secrets and certificates, and forgets it. Raises EngineError."""
    open_logins(config, {})
    for proxy in config.proxies:
        read_proxy_credentials(proxy)
    make_tls_policy(config)


def _open(login: Login, headers: Mapping[str, str]) -> Session:
    if login.kind == "cookies":
        assert login.secret.file
        return Session(login, "", read_cookie_file(login.secret.file, login.host, login.where), headers)
    if login.kind == "certificate":
        return Session(login, "", headers=headers)
    return Session(login, read_secret(login.secret, login.where, os.environ), headers=headers)
