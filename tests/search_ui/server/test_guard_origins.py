"""Which scripts of other sites may read the API."""

import pytest

from engine.config import ServerConfig
from search_ui.app import create_app
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, Searcher

A, B = "https://a.example", "https://b.example"


def allowed(origins: tuple[str, ...], target: str, method: str = "GET", origin: str = A) -> str | None:
    serving = ServerConfig(cors_origins=origins, burst=2)
    headers = {"Origin": origin, "Access-Control-Request-Method": "GET"}
    client = Asking(create_app(Searcher(), lambda: None, IDENTITY, serving))
    answered: str | None = client.get(target, headers, method).headers.get("Access-Control-Allow-Origin")
    return answered


@pytest.mark.parametrize(
    ("origins", "target", "method", "origin", "says", "why"),
    [
        ((), "/api/search?q=a", "GET", A, None, "nobody by default"),
        ((A,), "/api/search?q=a", "GET", A, A, "named"),
        ((A,), "/api/search?q=a", "GET", B, None, "not named"),
        ((A,), "/api/search?q=a", "GET", f"{A}.evil.example", None, "only begins so"),
        ((A,), "/api/search?q=a", "GET", "null", None, "a file, or a sandbox"),
        (("*",), "/api/search?q=a", "GET", B, "*", "all"),
        ((A,), "/api/search", "GET", A, A, "a problem can be read as well"),
        ((A,), "/api/nothing", "GET", A, A, "likewise"),
        ((A,), "/api/search?q=a", "OPTIONS", A, A, "may I?"),
        ((A,), "/api/search?q=a", "POST", A, None, "what changes something is asked from here alone"),
        ((A,), "/search?q=a", "GET", A, None, "a page is for people"),
        (("*",), "/metrics", "GET", A, None, "not of the API"),
    ],
)
def test_who_may_read(
    origins: tuple[str, ...], target: str, method: str, origin: str, says: str | None, why: str
) -> None:
    assert allowed(origins, target, method, origin) == says, why


def test_a_script_learns_when_to_come_again() -> None:
    client = Asking(create_app(Searcher(), lambda: None, IDENTITY, ServerConfig(cors_origins=(A,), burst=1)))
    client.get("/api/search?q=a")
    answer = client.get("/api/search?q=a", {"Origin": A})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (429, A)
    assert answer.headers["Access-Control-Expose-Headers"] == "Retry-After"


def test_no_answer_brings_anything_of_a_person() -> None:
    client = Asking(create_app(Searcher(), lambda: None, IDENTITY, ServerConfig(cors_origins=(A,))))
    assert "Access-Control-Allow-Credentials" not in client.get("/api/search?q=a", {"Origin": A}).headers
