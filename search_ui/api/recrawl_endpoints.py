"""Takes requests for recrawls of programs with a token, as after a deployment, and says how far each is."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.config import Network
from engine.errors import Busy, Unreadable
from engine.report import format_time
from engine.submission import Denial, RecrawlKind, RecrawlRefused, RecrawlService, RecrawlStatus
from search_ui.pages import BUSY, BUSY_SECONDS, JSON, read_posted_fields
from search_ui.rendering import database_error, encode_json
from search_ui.server import Ledger, Share, ThreadLimiter, TokenBuckets, build_own_url, identify_client

PATH = "/api/recrawl"
AT_ONCE, MAX_WAITING = 2, 16  # threads that read or write the database, and who waits for one
# Requests of a client with a wrong token: a mistake is mended in fewer, and 256 bits are not guessed by more.
MAX_FAILED, FAILED_SECONDS = 10, 3_600
STATUS: Mapping[Denial, int] = {
    Denial.TOKEN: 401,
    Denial.SITE: 403,
    Denial.URL: 422,
    Denial.RULE: 422,
    Denial.SIZE: 422,
    Denial.RATE: 429,
    Denial.UNKNOWN: 404,
}
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="lycosa"'}  # RFC 6750, section 3
_CREDENTIALS = re.compile(r"bearer +([\w.~+/-]+=*)", re.IGNORECASE | re.ASCII)  # RFC 6750, section 2.1
HOW_TO_ASK = "Send the token as Authorization: Bearer TOKEN; 'scrapy token add' makes one."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecrawlEndpoints:
    """The deploy hook over one service, None where nothing is taken in."""

    service: RecrawlService | None
    proxies: Sequence[Network] = ()
    ledger: Ledger = field(default_factory=Ledger)
    _room: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(AT_ONCE, MAX_WAITING))
    _failures: TokenBuckets = field(init=False)

    def __post_init__(self) -> None:
        failures = self.ledger.limit(Share.WRONG_TOKENS, MAX_FAILED / FAILED_SECONDS, MAX_FAILED)
        object.__setattr__(self, "_failures", failures)

    async def request(self, request: Request) -> Response:
        """Queues a URL, a prefix or a sitemap: 202 with the address of its state. HTTPException 4xx, 503."""
        service, secret = self._open(), _read_secret(request)
        fields = await read_posted_fields(request)
        kind = fields.get("kind") or RecrawlKind.PAGE
        if kind not in list(RecrawlKind):
            raise HTTPException(400, f"“kind” must be one of {', '.join(RecrawlKind)}.")
        url = str(fields["url"])
        done = await self._run(request, lambda: service.request(secret, url, RecrawlKind(str(kind))))
        place = {"Location": build_own_url(f"{PATH}/{done.request.id}")}
        return Response(encode_json(encode_recrawl(done)), 202, place, JSON)

    async def status(self, request: Request) -> Response:
        """Returns how far a request is. HTTPException 404 for one that the token has not made."""
        service, secret = self._open(), _read_secret(request)
        identity = str(request.path_params["id"])
        done = await self._run(request, lambda: service.status(secret, identity))
        return Response(encode_json(encode_recrawl(done)), media_type=JSON)

    def _open(self) -> RecrawlService:
        if self.service is None:
            raise HTTPException(404, "The operator of this search takes no requests for recrawls.")
        return self.service

    async def _run(self, request: Request, ask: Callable[[], T]) -> T:
        """Asks the databases in a thread; counts wrong tokens. HTTPException 4xx and 503."""
        client = identify_client(request.scope, self.proxies).network_key
        if wait := self._failures.take(client):
            later = {"Retry-After": str(ceil(wait))}
            raise HTTPException(429, "Too many wrong tokens came from here. Try again later.", later)
        has_failed = False
        try:
            return await self._room.run(ask)
        except RecrawlRefused as refused:
            has_failed = refused.denial is Denial.TOKEN
            raise _refuse(refused) from refused
        except Busy as error:
            raise HTTPException(503, BUSY, {"Retry-After": str(BUSY_SECONDS)}) from error
        except Unreadable as error:
            raise database_error(error) from error
        finally:
            if not has_failed:
                self._failures.put_back(client)


def encode_recrawl(one: RecrawlStatus) -> Mapping[str, object]:
    """Encodes a request and how far it is as JSON; `at` in ISO 8601, UTC."""
    request, progress = one.request, one.progress
    numbers = {name: getattr(progress, name) for name in ("queued", "fetched", "indexed", "failed")}
    return {
        "id": request.id,
        "url": request.url,
        "kind": request.kind,
        "at": format_time(request.at),
        "state": progress.state,
        "urls": numbers,
        "reason": progress.reason,
    }


def _read_secret(request: Request) -> str:
    """Reads the token of the Authorization header. HTTPException 401 without."""
    found = _CREDENTIALS.fullmatch(request.headers.get("authorization", "").strip())
    if not found:
        raise HTTPException(401, HOW_TO_ASK, _CHALLENGE)
    return found[1]


def _refuse(refused: RecrawlRefused) -> HTTPException:
    headers = {"Retry-After": str(ceil(refused.wait))} if refused.denial is Denial.RATE else {}
    if refused.denial is Denial.TOKEN:
        return HTTPException(401, "There is no such token.", _CHALLENGE)
    return HTTPException(STATUS[refused.denial], f"Refused: {refused.why}.", headers)
