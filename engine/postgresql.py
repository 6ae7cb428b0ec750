"""Says how long a PostgreSQL server is waited for, and how long it waits, the same wherever we connect.

It imports nothing of psycopg, which is an extra.
"""

from collections.abc import Mapping
from typing import Any

CONNECT_SECONDS = 10.0  # the most that one waits for a server to answer
# A crawl whose server is silent ends after CLIENT_SECONDS, and the server gives its locks to others only
# after SERVER_SECONDS: so no host is asked by two.
CLIENT_SECONDS = 20.0
SERVER_SECONDS = 25.0
_KEEPALIVE = 5  # seconds between probes of a silent connection, of which three are lost
_NO_SETTINGS: Mapping[str, str] = {}


def make_parameters(
    busy_seconds: float, silent_seconds: float = CLIENT_SECONDS, settings: Mapping[str, str] = _NO_SETTINGS
) -> dict[str, Any]:
    """Makes the parameters of a connection, for psycopg.connect(); `settings` are more of the server's.

    A lock is waited for `busy_seconds`, a silent server `silent_seconds`; for a connection 2 at least, which
    is libpq's least.
    """
    return {
        "application_name": "lycosa",
        "connect_timeout": max(2, round(min(silent_seconds, CONNECT_SECONDS))),
        "keepalives_idle": _KEEPALIVE,
        "keepalives_interval": _KEEPALIVE,
        "keepalives_count": 3,
        "tcp_user_timeout": round(1_000 * silent_seconds),
        "options": _write_options(busy_seconds, settings),
    }


def _write_options(busy_seconds: float, settings: Mapping[str, str]) -> str:
    """Writes the server's side of it as the command line that libpq sends."""
    values = {
        "lock_timeout": round(1_000 * busy_seconds),
        "tcp_user_timeout": round(1_000 * SERVER_SECONDS),
        "tcp_keepalives_idle": _KEEPALIVE,
        "tcp_keepalives_interval": _KEEPALIVE,
        "tcp_keepalives_count": 4,
        "idle_in_transaction_session_timeout": round(1_000 * SERVER_SECONDS),
        "client_encoding": "UTF8",
        **settings,
    }
    return " ".join(f"-c {name}={value}" for name, value in values.items())
