"""Logs in to the hosts that ask who one is, for as long as a crawl runs; secrets stay in its memory."""

from engine.login.basic import read_proxy_credentials
from engine.login.logins import Logins, check_logins, open_logins
from engine.login.secrets import read_secret
from engine.login.session import Session
from engine.login.tls import TlsPolicy, make_tls_policy

__all__ = [
    "Logins",
    "Session",
    "TlsPolicy",
    "check_logins",
    "make_tls_policy",
    "open_logins",
    "read_proxy_credentials",
    "read_secret",
]
