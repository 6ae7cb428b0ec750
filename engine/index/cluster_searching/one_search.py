"""Names what asks one moment of an index in a cluster, and decodes what it answers."""

from base64 import urlsafe_b64decode
from collections.abc import Callable
from typing import Any

Search = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends the body of a search, and returns the answer; raises engine.opensearch.ClusterError."""

_TO_URL_SAFE = str.maketrans("+/", "-_")


def decode_value(text: str) -> bytes:
    """Decodes a binary value: doc values come in URL-safe base64 without padding, stored fields in plain."""
    return urlsafe_b64decode(text.translate(_TO_URL_SAFE) + "==")
