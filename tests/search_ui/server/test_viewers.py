"""Who asks is what a trusted proxy says, and nobody else."""

from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
from starlette.requests import Request

from engine.config import AudienceConfig, ServerConfig
from search_ui.server.viewers import ViewerPolicy

SERVING = ServerConfig(
    trusted_proxies=(ip_network("10.0.0.0/24"),),
    user_header="X-Forwarded-User",
    groups_header="X-Forwarded-Groups",
    audiences=(
        AudienceConfig("staff", groups=frozenset({"staff"})),
        AudienceConfig("known", frozenset({"*"})),
        AudienceConfig("zoé", frozenset({"zoé"})),
    ),
)
POLICY = ViewerPolicy.build(SERVING, "https://search.example.org/find")
ADA = ("x-forwarded-user", "ada")
GROUPS = ("x-forwarded-groups", "other, staff")
CROSS = ("sec-fetch-site", "cross-site")
ROWS: list[tuple[str, list[tuple[str, str]], str, str]] = [
    ("10.0.0.5", [ADA], "known", "a name"),
    ("10.0.0.5", [ADA, GROUPS], "known staff", "and groups"),
    ("10.0.0.5", [ADA, ("x-forwarded-groups", "other"), GROUPS], "known staff", "groups in two headers"),
    ("10.0.0.5", [ADA, ("x-forwarded-groups", "staff2,xstaff,Staff")], "known", "none that is like it"),
    ("10.0.0.5", [GROUPS], "", "groups without a name: nobody has logged in"),
    ("10.0.0.5", [("x-forwarded-user", " "), GROUPS], "", "nor with an empty one"),
    ("10.0.0.5", [], "", "nobody"),
    ("10.0.0.5", [("x-forwarded-user", "eve"), ADA, GROUPS], "", "two names: one is the client's own"),
    ("10.0.0.5", [("x-forwarded-user", "zo\u00c3\u00a9")], "known zoé", "a name in UTF-8"),
    ("10.0.0.5", [("remote-user", "ada")], "", "another header"),
    ("10.0.1.5", [ADA, GROUPS], "", "a stranger's word"),
    ("10.0.1.5", [ADA, GROUPS, ("x-forwarded-for", "10.0.0.5")], "", "nor if it claims to be a proxy"),
    ("10.0.0.5", [ADA, GROUPS, ("x-forwarded-for", "8.8.8.8")], "known staff", "whoever asks the proxy"),
    ("", [ADA, GROUPS], "", "no network socket"),
    ("10.0.0.5", [ADA, CROSS], "", "a script of another site"),
    ("10.0.0.5", [ADA, ("sec-fetch-site", "same-site")], "", "and of a neighbour"),
    ("10.0.0.5", [ADA, CROSS, ("sec-fetch-mode", "navigate")], "known", "a link that somebody follows"),
    ("10.0.0.5", [ADA, CROSS, ("sec-fetch-mode", "no-cors")], "", "an image or a script of ours elsewhere"),
    ("10.0.0.5", [ADA, ("sec-fetch-site", "same-origin")], "known", "our own page"),
    ("10.0.0.5", [ADA, ("sec-fetch-site", "none")], "known", "a typed address"),
    ("10.0.0.5", [ADA, ("sec-fetch-site", "none"), CROSS], "", "two that differ"),
    ("10.0.0.5", [ADA, ("origin", "https://evil.example")], "", "an older browser, another site"),
    ("10.0.0.5", [ADA, ("origin", "null")], "", "a page without an origin"),
    ("10.0.0.5", [ADA, ("origin", "http://[")], "", "nonsense"),
    ("10.0.0.5", [ADA, ("origin", "https://search.example.org")], "known", "our own origin"),
    ("10.0.0.5", [ADA, ("origin", "http://lycosa.internal:8000")], "known", "as the client calls us"),
]


@pytest.mark.parametrize(("peer", "headers", "audiences", "why"), ROWS, ids=[row[3] for row in ROWS])
def test_who_asks(peer: str, headers: list[tuple[str, str]], audiences: str, why: str) -> None:
    request = request_of(peer, [("host", "lycosa.internal:8000"), *headers])
    assert POLICY.find_view(request).audiences == frozenset(audiences.split()), why


@pytest.mark.parametrize(
    ("names", "audiences", "why"),
    [
        (("Remote-User", "Remote-Groups"), "known staff", "others"),
        (("Remote-User", ""), "known", "no groups are told"),
        (("Other-User", "Remote-Groups"), "", "that is not sent"),
    ],
)
def test_headers_have_the_names_that_the_operator_wrote(
    names: tuple[str, str], audiences: str, why: str
) -> None:
    user, groups = names
    policy = ViewerPolicy.build(replace(SERVING, user_header=user, groups_header=groups), "")
    sent = [("x-forwarded-user", "eve"), ("remote-user", "ada"), ("remote-groups", "staff")]
    assert policy.find_view(request_of("10.0.0.5", sent)).audiences == frozenset(audiences.split()), why


def request_of(peer: str, headers: list[tuple[str, str]]) -> Request:
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/search",
        "query_string": b"",
        "server": ("10.0.0.9", 8000),
        "client": (peer, 40_000) if peer else None,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    return Request(scope)
