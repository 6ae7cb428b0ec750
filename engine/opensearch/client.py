"""Opens a client of a cluster: an OpenSearch of opensearch-py, whose every failure is one of ours.

opensearch-py is an extra, and is imported where a cluster is opened.
"""

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.opensearch.errors import PASSWORD_VARIABLE, LoginError, ProductError
from engine.opensearch.location import ClusterLocation, parse_location

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

OPEN_SECONDS = 10.0  # the most that one waits for the first answer
OLDEST = (2, 19)  # the tests' server is of this one; older ones were not tried
MAX_SHARED = 4  # clusters that a process speaks with
_NUMBER = re.compile(r"(\d+)\.(\d+)\.")


def open_client(location: str) -> "OpenSearch":
    """Opens a client of the cluster at a location (parse_location), to be closed; threads may share it.

    Its requests are given up after SEARCH_SECONDS unless they say otherwise (request_timeout=), and raise the
    errors of this package. Raises EngineError for a location that is none, for certificates that cannot be
    read and without opensearch-py; a ClusterError where no node answers, or one refuses the login, shows a
    certificate that is not trusted, or is no OpenSearch of OLDEST or later.
    """
    target = parse_location(location)
    client = _create_client(target, _read_password(target))
    try:
        _require_product(location, client.info(request_timeout=OPEN_SECONDS))
    except EngineError:
        client.close()
        raise
    return client


def share_client(location: str) -> "OpenSearch":
    """Opens a client once in this process, for all who ask for the same location; nobody closes it.

    Raises the same.
    """
    return _share(location, os.getpid())  # sockets are not shared with a parent


_share = lru_cache(MAX_SHARED)(lambda location, _: open_client(location))


def _create_client(target: ClusterLocation, password: str) -> "OpenSearch":
    try:
        from engine.opensearch.transport import create_client
    except ImportError as error:
        message = f"{target.text} needs opensearch-py, which is not installed: run 'make opensearch'"
        raise EngineError(message) from error
    return create_client(target, password)


def _read_password(target: ClusterLocation) -> str:
    """Reads the user's password from the environment. Raises LoginError where it is not there."""
    password = os.environ.get(PASSWORD_VARIABLE, "") if target.user else ""
    if target.user and not password:
        raise LoginError(
            f"{target.text}: set the password of its user in the environment, as {PASSWORD_VARIABLE}"
        )
    return password


def _require_product(location: str, answer: object) -> None:
    """Raises ProductError unless this is what OpenSearch answers at its root, of OLDEST or later."""
    version = answer.get("version") if isinstance(answer, dict) else None
    told = version if isinstance(version, dict) else {}
    number = str(told.get("number"))
    found = _NUMBER.match(number)
    if told.get("distribution") != "opensearch" or not found:
        raise ProductError(f"{location} is no OpenSearch: name the address of its REST API")
    if (int(found[1]), int(found[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ProductError(f"{location} is OpenSearch {number}: upgrade it to {oldest} or later")
