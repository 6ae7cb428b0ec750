"""Makes credentials of the Basic scheme (RFC 7617): those of a login, and those of a proxy."""

import os
from base64 import b64encode

from engine.config import Proxy
from engine.login.secrets import read_secret


def encode_basic(user: str, secret: str) -> str:
    """Encodes a user and a secret as a value of Authorization or Proxy-Authorization."""
    pair = f"{user}:{secret}".encode("utf-8", "surrogateescape")
    return f"Basic {b64encode(pair).decode('ascii')}"


def read_proxy_credentials(proxy: Proxy) -> str:
    """Reads what a proxy is told (RFC 9110, 11.7.2), '' for one that asks nobody. Raises EngineError."""
    return encode_basic(proxy.user, read_secret(proxy.secret, proxy.where, os.environ)) if proxy.user else ""
