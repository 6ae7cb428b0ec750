"""Shows the form for missing pages, and what became of submitted URLs (requirements 7, 8)."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.config import Network
from engine.errors import Busy, EngineError, Unreadable
from engine.explain import format_time, visible
from engine.model import Message
from engine.store import submissions
from engine.submission import (
    DECIDED,
    FULL,
    QUEUED,
    REFUSED,
    WAITING,
    Stage,
    SubmissionService,
    SubmissionStatus,
)
from engine.url import MAX_URL_LENGTH
from search_ui.rendering import database_error, encode_json, format_day, render_html
from search_ui.search_request import parse_form, read_form_body, request_media_type
from search_ui.server import ThreadLimiter, TokenBuckets, identify_client, reject_cross_site

AT_ONCE, MAX_WAITING = 4, 16  # threads that submit or ask, and who waits for one; a search never does
# What one client may add in a day: a hundredth of the places for what waits for the operator.
CLIENT_PAGES = submissions.MAX_WAITING // 100
DAY_SECONDS = 86_400
MAX_FORM_BYTES = 32 * 1024  # MAX_URL_LENGTH characters, each encoded at its longest, are 24 KiB
BUSY_SECONDS = 5  # until who met a busy database may come again
FULL_SECONDS = 3_600  # until some of what waits may have been visited

JSON = "application/json"
STATUS = {
    Stage.QUEUED: 202,
    Stage.WAITING: 202,
    Stage.REFUSED: 422,
}  # of what was submitted; else 200
OFF = Message("The operator of this search takes no submissions.")
NO_ROOM = Message("So many pages wait already that no more are taken. Come back in an hour, or tomorrow.")
BUSY = Message("The crawl is writing just now. Send it again in a few seconds.")
NO_ADDRESS = Message("Write the whole address of a page, such as https://www.example.org/page.html.")
# What keeps a page out, by the name of the rule; what a robots.txt says is shown as it stands there.
RULES: Mapping[str, str] = {
    "length": Message("its address is longer than {limit} characters", limit=MAX_URL_LENGTH),
    "private": Message("it is on a private network"),
    DECIDED: Message("the operator has decided against it"),
    "removed": Message("the operator has removed it"),
    "exclude": Message("the operator leaves out such pages"),
    "suffix": Message("it is no page, but a file of a kind that is not read"),
    "sensitive": Message("its address is one of files that were never meant for the web"),
    "repeat": Message("its address repeats itself without end"),
    "side-effect": Message("opening it would do something on its server"),
    "cgi": Message("a program makes it, and such pages are left out here"),
    "query": Message("a program makes it, and such pages are left out here"),
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SubmitPages:
    """The form over one service, None where the operator has switched it off."""

    service: SubmissionService | None
    public_url: str = ""
    proxies: Sequence[Network] = ()
    clock: Callable[[], float] = time.monotonic
    _room: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(AT_ONCE, MAX_WAITING))
    _shares: TokenBuckets = field(init=False)

    def __post_init__(self) -> None:
        shares = TokenBuckets(CLIENT_PAGES / DAY_SECONDS, CLIENT_PAGES, self.clock)
        object.__setattr__(self, "_shares", shares)

    async def form(self, request: Request) -> Response:
        """The form, and above it what has become of `url`; under POST it is submitted first."""
        service = self._open()
        if request.method == "POST":
            reject_cross_site(request, self.public_url)
            fields = parse_form(await read_form_body(request, MAX_FORM_BYTES))
            submission = await self._submit(request, service, fields.get("url", "").strip())
            return _page(submission.url, STATUS.get(submission.stage, 200), submission=submission)
        typed = parse_form(request.scope["query_string"]).get("url", "").strip()
        try:
            return _page(typed, submission=await self._status(service, typed) if typed else None)
        except EngineError:
            return _page(typed, 400, hint=NO_ADDRESS)

    async def api(self, request: Request) -> Response:
        """The same for programs: one JSON object; HTTPException 4xx and 503 as problem documents."""
        service = self._open()
        if request.method == "POST":
            reject_cross_site(request, self.public_url)
            submission = await self._submit(request, service, await _url_in(request))
            if submission.stage is Stage.REFUSED:
                raise HTTPException(STATUS[submission.stage], f"Refused: {submission.reason}.")
            return _json(submission, STATUS.get(submission.stage, 200))
        try:
            return _json(
                await self._status(service, parse_form(request.scope["query_string"]).get("url", ""))
            )
        except EngineError as error:
            raise HTTPException(400, "“url” is the whole address of a page.") from error

    def _open(self) -> SubmissionService:
        if self.service is None:
            raise HTTPException(404, OFF)
        return self.service

    async def _submit(self, request: Request, service: SubmissionService, typed: str) -> SubmissionStatus:
        """What has become of an address that is submitted now; HTTPException 429 and 503 for "not now"."""
        client = identify_client(request.scope, self.proxies).household
        if wait := self._shares.wait(client):
            raise HTTPException(429, _share_used(self._shares.burst), {"Retry-After": str(ceil(wait))})
        outcome = FULL
        try:
            done = await self._run(service.submit, typed)
            outcome = done.outcome
        finally:
            if outcome not in (QUEUED, WAITING):
                self._shares.put_back(client)
        if outcome == FULL:
            raise HTTPException(503, NO_ROOM, {"Retry-After": str(FULL_SECONDS)})
        if outcome == REFUSED:
            return SubmissionStatus(done.url, Stage.REFUSED, RULES.get(done.why, visible(done.why)))
        return await self._status(service, done.url)

    async def _status(self, service: SubmissionService, typed: str) -> SubmissionStatus:
        submission = await self._run(service.status, typed)
        return submission._replace(reason=RULES.get(submission.reason, submission.reason))

    async def _run(self, ask: Callable[[str], T], typed: str) -> T:
        """What the crawl database says; HTTPException 503 where it says nothing."""
        try:
            return await self._room.run(ask, typed)
        except Busy as error:
            raise HTTPException(503, BUSY, {"Retry-After": str(BUSY_SECONDS)}) from error
        except Unreadable as error:
            raise database_error(error) from error


def _share_used(limit: int) -> str:
    return Message(
        "You have submitted {limit} pages, as many as one client may in a day. Come back in a while.",
        limit=limit,
    )


def encode_submission(submission: SubmissionStatus) -> Mapping[str, str]:
    """The JSON shape: `since` in ISO 8601, UTC; '' where there is no reason or date."""
    since = "" if submission.since is None else format_time(submission.since)
    return {"url": submission.url, "state": submission.stage, "reason": submission.reason, "since": since}


async def _url_in(request: Request) -> str:
    """`url` of a posted form or JSON object; HTTPException 4xx for anything else."""
    if request_media_type(request) != JSON:
        return parse_form(await read_form_body(request, MAX_FORM_BYTES)).get("url", "").strip()
    body = await read_form_body(request, MAX_FORM_BYTES, JSON)
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, "This is no JSON.") from error
    url = document.get("url") if isinstance(document, dict) else None
    if not isinstance(url, str):
        raise HTTPException(400, 'JSON is sent as {"url": "https://www.example.org/page.html"}.')
    return url.strip()


def _json(submission: SubmissionStatus, status: int = 200) -> Response:
    return Response(encode_json(encode_submission(submission)), status, media_type=JSON)


def _page(
    typed: str, status: int = 200, submission: SubmissionStatus | None = None, hint: str = ""
) -> Response:
    # Our other pages say no-referrer, which makes a browser hide from us, too, where a form was sent from.
    return render_html(
        "submit.html",
        status,
        {"Referrer-Policy": "same-origin"},
        typed="",
        url=typed[:MAX_URL_LENGTH].replace("\0", "\N{REPLACEMENT CHARACTER}"),
        submission=submission,
        day=""
        if submission is None or submission.since is None
        else format_day(format_time(submission.since)),
        hint=hint,
        visible=visible,
        max_url=MAX_URL_LENGTH,
    )
