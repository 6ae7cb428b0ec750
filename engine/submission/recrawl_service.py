"""Takes requests for recrawls of programs with a token, and says how far each is; from several threads."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import sqlalchemy as sa

from engine.config import Config
from engine.database import RECRAWL, CrawlDatabase, open_side, write_side, write_transaction
from engine.errors import EngineError
from engine.generations import current_generation
from engine.submission.recrawl import Denial, RecrawlAdmission, RecrawlRefused, parse_recrawl
from engine.submission.recrawl_ledger import RecrawlKind, RecrawlRequest, load_request, save_request
from engine.submission.recrawl_progress import RecrawlProgress, measure_recrawl
from engine.submission.tokens import Token, find_token, load_tokens, spend_urls


class RecrawlStatus(NamedTuple):
    """A request and how far it is."""

    request: RecrawlRequest
    progress: RecrawlProgress


class RecrawlService:
    """Where programs ask for recrawls; without tokens all are refused. `clock`: seconds since 1970."""

    def __init__(
        self, config: Config, database: CrawlDatabase, clock: Callable[[], float] = time.time
    ) -> None:
        self._config, self._database, self._clock = config, database, clock

    def request(self, secret: str, typed: str, kind: RecrawlKind) -> RecrawlStatus:
        """Queues a URL, a prefix or a sitemap. Raises RecrawlRefused, Busy and Unreadable."""
        now = self._clock()
        with self._open_ledger() as ledger:
            token = _require_token(ledger, secret, now)
            target = parse_recrawl(typed, kind, self._config)
            if not token.covers(target):
                raise RecrawlRefused(Denial.SITE, f"the token is for {', '.join(token.sites)}")
            with self._database.open_engine() as engine, write_transaction(engine) as connection:
                number = RecrawlAdmission(connection, self._config, now).queue(target, kind)
                _spend(ledger, token, number, now)
            url = target.text + "*" * bool(target.prefixes)
            return RecrawlStatus(save_request(ledger, token.name, kind, url, now), RecrawlProgress(number))

    def status(self, secret: str, identity: str) -> RecrawlStatus:
        """Returns how far a request of the token is. Raises RecrawlRefused, Busy and Unreadable."""
        with self._open_ledger() as ledger:
            token = _require_token(ledger, secret, self._clock())
            request = load_request(ledger, token.name, identity)
        if request is None:
            raise RecrawlRefused(Denial.UNKNOWN, "this token has made no such request, or it is forgotten")
        target, caught_up = parse_recrawl(request.url, request.kind, self._config), self._caught_up()
        with self._database.open_engine() as engine, engine.connect() as connection:
            return RecrawlStatus(request, measure_recrawl(connection, request, target, caught_up))

    @contextmanager
    def _open_ledger(self) -> Iterator[sa.Connection]:
        """Opens the tokens. Raises RecrawlRefused where there are none, Busy, Unreadable."""
        with open_side(self._config.database, RECRAWL) as ledger:
            if not load_tokens(ledger):
                raise RecrawlRefused(Denial.TOKEN)
        with write_side(self._config.database, RECRAWL) as ledger:
            yield ledger

    def _caught_up(self) -> int:
        """Returns the number of the last change that the index has; 0 where there is none to read."""
        try:
            generation = current_generation(self._config.index)
            return generation.caught_up if generation else 0
        except (EngineError, OSError):
            return 0


def _require_token(ledger: sa.Connection, secret: str, now: float) -> Token:
    token = find_token(ledger, secret, now)
    if token is None:
        raise RecrawlRefused(Denial.TOKEN)
    return token


def _spend(ledger: sa.Connection, token: Token, number: int, now: float) -> None:
    """Spends URLs of the token's hour. Raises RecrawlRefused for more than it has, or has left."""
    hourly = f"the token has {token.per_hour:,} URLs an hour"
    if number > token.per_hour:
        raise RecrawlRefused(Denial.SIZE, f"these are {number:,} URLs, and {hourly}")
    if wait := spend_urls(ledger, token, number, now):
        raise RecrawlRefused(Denial.RATE, f"{hourly}, and fewer are left than these {number:,}", wait)
