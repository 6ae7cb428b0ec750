"""Sends requests to the nodes of a cluster, in a time that is bounded over all of them.

The only module that imports opensearch-py: engine.opensearch.client imports it where a cluster is opened.
"""

import base64
import logging
import ssl
import time
from collections.abc import Collection, Mapping
from typing import Any, cast

from opensearchpy import OpenSearch, Transport, Urllib3HttpConnection
from opensearchpy.exceptions import (
    ConnectionError as NoConnection,
)
from opensearchpy.exceptions import (
    ConnectionTimeout,
    OpenSearchException,
    SerializationError,
    SSLError,
    TransportError,
)
from urllib3 import Timeout
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from engine.errors import EngineError
from engine.opensearch.errors import (
    UNAVAILABLE,
    CertificateError,
    ProductError,
    UnavailableError,
    explain_refusal,
    read_refusal,
    shorten,
)
from engine.opensearch.location import AUTHORITY, ClusterLocation

SEARCH_SECONDS = 1.7  # people wait 2 s for an answer; then the page says 503
CONNECT_SECONDS = 5.0  # of a long request; of a short one a third, so that a node that is gone leaves time
DEAD_SECONDS = 30  # a node that has not answered is not asked, as long as there are others
CONNECTIONS = 8  # kept open to each node: a search page has four threads that search
LEAST_ATTEMPTS = 2  # a connection that was kept may have been closed meanwhile

logger = logging.getLogger("lycosa")
# What opensearch-py warns of, with a trace, we raise or log in one line; its other lines are the requests
# themselves, and no log of ours has what people search for.
for name in ("opensearch", "opensearchpy.trace"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


def create_client(target: ClusterLocation, password: str) -> OpenSearch:
    """Creates the client alone: nothing is sent yet. Raises EngineError for unreadable certificates."""
    login = base64.b64encode(f"{target.user}:{password}".encode()).decode("ascii")
    nodes = [{"host": host, "port": port, "use_ssl": target.is_encrypted} for host, port in target.nodes]
    return OpenSearch(
        nodes,
        transport_class=ClusterTransport,
        connection_class=ClusterConnection,
        location=target.text,
        headers={"authorization": f"Basic {login}"} if target.user else {},
        ssl_context=_trust(target) if target.is_encrypted else None,
        dead_timeout=DEAD_SECONDS,
        timeout_cutoff=0,  # always as long
        pool_maxsize=CONNECTIONS,
        retry_on_timeout=True,  # that is, a node that keeps silent counts as dead
        max_retries=0,
    )


def _trust(target: ClusterLocation) -> ssl.SSLContext:
    """Makes a context that verifies the chain and the host, by the system's authorities or the one given."""
    try:
        return ssl.create_default_context(cafile=target.authority)
    except OSError as error:
        why = error.strerror or error
        raise EngineError(f"{target.text}: cannot read the certificates of {AUTHORITY}: {why}") from error


class ClusterConnection(Urllib3HttpConnection):
    """Takes errors in any form, as of another product."""

    def _raise_error(self, status_code: int, raw_data: str | bytes, content_type: str | None = None) -> None:
        try:
            super()._raise_error(status_code, raw_data, content_type)
        except AttributeError as error:  # JSON, but no object
            raise TransportError(status_code, raw_data, None) from error


class ClusterTransport(Transport):
    """Asks another node where one fails, and raises our errors for those of opensearch-py.

    Its own retries would each wait for as long.
    """

    def __init__(self, hosts: Any, *, location: str, **options: Any) -> None:
        super().__init__(hosts, **options)
        self.location = location

    def perform_request(
        self,
        method: str,
        url: str,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        timeout: float | None = None,
        ignore: Collection[int] = (),
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Sends one request, to several nodes in turn if need be; returns the JSON of the answer.

        `timeout`, or `request_timeout` of the client's methods, is for all of them together. Raises
        ClusterError or IndexMissing.
        """
        asked = dict(params or {})
        seconds = timeout or asked.pop("request_timeout", None) or SEARCH_SECONDS
        left, until = seconds, time.monotonic() + seconds
        for attempts_left in reversed(range(max(LEAST_ATTEMPTS, len(self.hosts)))):
            limit = cast(Any, _limit(left))
            try:
                return super().perform_request(method, url, dict(asked), body, limit, ignore, headers)
            except (TransportError, SerializationError) as error:
                failure = _explain(self.location, seconds, error)
                left = until - time.monotonic()
                if not attempts_left or not _is_of_node(error) or left <= 0:
                    raise failure from error
                logger.warning("asking again: %s", failure)
        raise AssertionError("the last attempt returns or raises")


def _limit(seconds: float) -> Timeout:
    """Limits a request, connecting apart: of a node that is gone nothing comes, not even a refusal."""
    return Timeout(connect=min(CONNECT_SECONDS, seconds / 3), total=seconds)


def _is_of_node(error: OpenSearchException) -> bool:
    """Whether another node might answer."""
    if isinstance(error, NoConnection):
        return True
    return isinstance(error, TransportError) and error.status_code in UNAVAILABLE


def _explain(location: str, seconds: float, error: OpenSearchException) -> EngineError:
    """Explains a failure of opensearch-py as one of ours."""
    if not isinstance(error, TransportError):
        return ProductError(
            f"{location} answers with something else than JSON: is this OpenSearch's address?"
        )
    if not isinstance(error, NoConnection):
        return explain_refusal(location, int(error.status_code), *_read_refusal(error))
    why = _describe(error, seconds)
    if isinstance(error, SSLError) and "CERTIFICATE_VERIFY_FAILED" in why:
        return CertificateError(
            f"{location} shows a certificate that is not trusted ({why}): name the file of who signed it, "
            f"?{AUTHORITY}=/etc/lycosa/ca.crt, and the host as the certificate does"
        )
    return UnavailableError(f"cannot reach {location}: {why}; is the cluster up?")


def _read_refusal(error: TransportError) -> tuple[str, str]:
    """Reads the exception's name and the reason of a refusal, however much of it there is."""
    told = error.info.get("error") if isinstance(error.info, dict) else None
    return read_refusal(told) if isinstance(told, dict) else ("", str(error.error))


def _describe(error: NoConnection, seconds: float) -> str:
    """Describes why there was no answer, in the system's words where it has some."""
    cause: Any = error.info
    if isinstance(error, ConnectionTimeout):
        return f"no answer within {seconds:g} s"
    if isinstance(cause, ConnectTimeoutError) and not isinstance(cause, NewConnectionError):
        return "no connection in time"
    while isinstance(inner := cause.__cause__ or next(iter(cause.args[-1:]), None), Exception):
        cause = inner
    return shorten((isinstance(cause, OSError) and cause.strerror) or str(cause) or type(cause).__name__)
