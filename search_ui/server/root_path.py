"""Answers below a path of another site's host: `public_url` is https://www.example.org/search."""

from contextvars import ContextVar
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

_ROOT_PATH: ContextVar[str] = ContextVar("root_path", default="")  # of the application that answers


class RootPathMiddleware:
    """Sets the root path of each request (ASGI, HTTP connection scope), '' for none.

    A web server before us may strip it from the path or pass it on: both are answered, and so is whoever asks
    this machine directly. `path` includes `root_path` from here on, as ASGI has it.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on. It stays the root path of the task, for errors that are answered outside."""
        if self.root_path and not scope["path"].startswith(f"{self.root_path}/"):
            scope["path"] = self.root_path + scope["path"]
        scope["root_path"] = self.root_path
        _ROOT_PATH.set(self.root_path)
        await self.app(scope, receive, send)


def build_own_url(path: str) -> str:
    """Builds the URL of a page of ours from its path within the application; relative to the host."""
    return _ROOT_PATH.get() + path


def find_route_path(scope: Scope) -> str:
    """Finds the path of a request within the application."""
    path: str = scope["path"]
    return path.removeprefix(scope["root_path"])


def split_public_url(public_url: str) -> tuple[str, str]:
    """Splits a URL without a slash at its end into origin and root path."""
    path = urlsplit(public_url).path
    return public_url.removesuffix(path), path
