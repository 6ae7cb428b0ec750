"""The application asked without a socket, by a client at whatever address it likes."""

from collections.abc import Mapping
from dataclasses import dataclass

import anyio
import httpx
from starlette.types import ASGIApp

NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Asking:
    """A client of an application."""

    app: ASGIApp
    peer: str = "203.0.113.5"

    def get(self, target: str, headers: Mapping[str, str] = NOTHING, method: str = "GET") -> httpx.Response:
        return anyio.run(self._ask, method, target, headers)

    async def _ask(self, method: str, target: str, headers: Mapping[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(self.peer, 40_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            return await client.request(method, target, headers=headers)
