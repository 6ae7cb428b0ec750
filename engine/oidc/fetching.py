"""Fetches JSON of the provider: within a time, up to a size, and from nowhere else."""

import json
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import urllib3

from engine.errors import EngineError

MAX_OCTETS = 512_000  # of an answer; the keys of the largest providers take some 10 KB
SILENT_SECONDS = 5.0  # for a connection, and between two octets
MAX_SECONDS = 15.0  # for a whole answer
_CHUNK = 65_536
_HEADERS = {"Accept": "application/json", "User-Agent": "Lycosa"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class ProviderAway(EngineError):  # noqa: N818 - says what is so
    """The provider does not answer, or with what cannot be used: nobody can sign in for now."""


def fetch_json(
    url: str,
    tls: ssl.SSLContext,
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, dict[str, Any]]:
    """Fetches a JSON object, by POST where there is a form; returns the status with it.

    No redirect is followed, as it could lead the secret elsewhere. Raises ProviderAway.
    """
    ends = time.monotonic() + MAX_SECONDS
    octets = bytearray()
    try:
        with urllib3.PoolManager(retries=False, ssl_context=tls) as pool:
            answer = pool.request(
                "GET" if form is None else "POST",
                url,
                body=None if form is None else urlencode(form),
                headers={**_HEADERS, **({} if form is None else _FORM), **(headers or {})},
                timeout=urllib3.Timeout(connect=SILENT_SECONDS, read=SILENT_SECONDS),
                redirect=False,
                preload_content=False,
            )
            with closing(answer):
                for chunk in answer.stream(_CHUNK, decode_content=False):
                    octets += chunk
                    if len(octets) > MAX_OCTETS or time.monotonic() > ends:
                        raise ProviderAway(
                            f"{url} answers with more than {MAX_OCTETS:,} bytes, or for longer than "
                            f"{MAX_SECONDS:.0f} s"
                        )
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise ProviderAway(f"{url} cannot be reached: {type(error).__name__}") from error
    if answer.status >= 500:
        raise ProviderAway(f"{url} answers with status {answer.status}")
    return answer.status, _parse(f"{url} answers with status {answer.status}", bytes(octets))


def _parse(answer: str, content: bytes) -> dict[str, Any]:
    """Parses a JSON object; `answer` says whose, for messages. Raises ProviderAway."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ProviderAway(f"{answer}, and with what is no JSON") from error
    if not isinstance(found, dict):
        raise ProviderAway(f"{answer}, and with what is no JSON object")
    return found
