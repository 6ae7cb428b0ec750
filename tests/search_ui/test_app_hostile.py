"""What strangers may send, at every address that there is: a page or a problem document, never a 500."""

from urllib.parse import quote

import httpx
import pytest

from search_ui.search_request import MAX_FIELDS, MAX_TYPED
from tests.search_ui.conftest import Site

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
PROGRAM = {"Accept": "application/json"}
# A query, the status of the page, that of the API, and why.
QUERIES = [
    ("", 200, 400, "no field"),
    ("q", 200, 400, "a field without a value"),
    ("q=", 200, 400, "an empty one"),
    ("Q=a", 200, 400, "names are what they are"),
    ("query=a", 200, 200, "requirement 295: the old name"),
    ("q=a&q=b", 200, 200, "repeated: the first counts"),
    ("&&&===;;;", 200, 400, "no form at all"),
    ("q=%20%09%0A", 200, 400, "nothing but space"),
    (f"q={(MAX_TYPED + 1) * 'a'}", 200, 400, "too long: people get what was read of it"),
    (f"q={40 * '%22a%20'}", 200, 200, "forty phrases"),
    (f"q=a{MAX_FIELDS * '&b=c'}", 400, 400, "too many fields"),
    ("q=a&page=0", 400, 400, "pages begin at 1"),
    ("q=a&page=-1", 400, 400, "negative"),
    ("q=a&page=1e1", 400, 400, "no whole number"),
    ("q=a&page=1_0", 400, 400, "Python's own spelling"),
    ("q=a&page=%D9%A1", 400, 400, "an Arabic digit"),
    ("q=a&page=101", 400, 400, "too deep"),
    (f"q=a&page={5_000 * '9'}", 400, 400, "more digits than Python takes"),
    ("q=a&page=1&page=x", 200, 200, "repeated: the first counts"),
    ("q=a&size=0", 400, 400, "no hits on a page"),
    ("q=a&size=NaN", 400, 400, "no number"),
    ("q=a&fold=2", 400, 400, "neither"),
    ("q=%ff%fe", 200, 200, "not UTF-8"),
    ("q=%ED%A0%80", 200, 200, "a lone surrogate"),
    ("q=%F4%90%80%80", 200, 200, "past Unicode"),
    ("q=%C0%AF", 200, 200, "an overlong slash"),
    ("q=%00", 200, 400, "NUL alone"),
    ("q=a%00b", 200, 200, "NUL inside"),
    ("q=%EF%BF%BF", 200, 200, "no character of Unicode"),
    ("q=%E2%80%AE%E2%81%A6", 200, 400, "directions alone"),
    ("q=%E2%80%AEtxt.exe", 200, 200, "turned round"),
    ("q=" + quote("Z" + 300 * "\u0301"), 200, 200, "a tower of accents"),
    ("q=" + quote("' OR 1=1; DROP TABLE pages; --"), 200, 200, "SQL"),
    ("q=" + quote("{{7*7}}${7*7}<%= 7*7 %>{% include '/etc/passwd' %}"), 200, 200, "templates"),
    ("q=" + quote("<script>alert(1)</script>"), 200, 200, "a script"),
    ("q=" + quote("\"><img src=x onerror=alert(1)><a href='javascript:alert(1)"), 200, 200, "an attribute"),
    ("q=" + quote("]]>&x;<!ENTITY x SYSTEM 'file:///etc/passwd'>"), 200, 200, "XML"),
    ("q=" + quote("a\r\nSet-Cookie: a=b\r\n\r\n<html>"), 200, 200, "a header"),
    ("q=" + quote("../../../etc/passwd\\..\\"), 200, 200, "a path"),
    ("q=" + quote("%s%n%x{0.__class__}"), 200, 200, "formats"),
    ("q=" + quote("$(reboot)`reboot`|reboot"), 200, 200, "a shell"),
    ("q=%", 200, 200, "half an escape"),
    ("q=%zz%u0041", 200, 200, "no escape"),
    ("q=" + quote("(" * 300 + ")" * 300), 200, 200, "nested"),
    ("q=" + quote('site: before:x link: * - OR NOT "'), 200, 200, "operators alone"),
]


def is_well_refused(answer: httpx.Response) -> bool:
    """Its status, in a page or a problem document, as the client wants it; nothing of ours in it."""
    kind = answer.headers["Content-Type"]
    is_page = "text/html" in answer.request.headers["Accept"]
    if answer.request.url.path.startswith("/api/"):
        is_page = False
    if not is_page and answer.request.method != "HEAD":
        document = answer.json()
        assert (document["status"], document["type"]) == (answer.status_code, "about:blank")
        assert document["title"]
        assert document["detail"]
    return kind == ("text/html; charset=utf-8" if is_page else "application/problem+json")


def is_safe(answer: httpx.Response) -> bool:
    """Nothing that was sent became more than text, and nothing broke."""
    assert answer.status_code < 500
    assert not answer.has_redirect_location
    assert "Set-Cookie" not in answer.headers
    for evil in ("<script>alert", "<img src=x", "Traceback", "root:x:0", 'href="javascript', "<!ENTITY"):
        if "html" in answer.headers["Content-Type"] or "xml" in answer.headers["Content-Type"]:
            assert evil not in answer.text
    return answer.status_code < 400 or is_well_refused(answer)


def gets(site: Site) -> list[str]:
    """But those of which other tests ask more."""
    return sorted(site.routes - {"/search", "/api/search", "/submit"})


@pytest.mark.requirement(295, 296)
@pytest.mark.parametrize(("query", "page", "api", "why"), QUERIES)
def test_hostile_queries(site: Site, query: str, page: int, api: int, why: str) -> None:
    """Bad syntax is no 500."""
    for headers in (BROWSER, PROGRAM):
        people = site.client.get(f"/search?{query}", headers=headers)
        programs = site.client.get(f"/api/search?{query}", headers=headers)
        assert (people.status_code, programs.status_code) == (page, api), why
        assert is_safe(people), why
        assert is_safe(programs), why


@pytest.mark.requirement(295)
@pytest.mark.parametrize(("query", "page", "api", "why"), QUERIES)
def test_hostile_forms(site: Site, query: str, page: int, api: int, why: str) -> None:
    """A POST means the same."""
    answer = site.client.post("/search", content=query.encode(), headers={**FORM, **BROWSER})
    assert answer.status_code == page, why
    assert is_safe(answer), why


@pytest.mark.slow
@pytest.mark.requirement(295)
def test_hostile_queries_everywhere(site: Site) -> None:
    for target in gets(site):
        for query, *_, why in QUERIES:
            answer = site.client.get(f"{target}?{query}&url={query}", headers=PROGRAM)
            assert is_safe(answer), (target, why)


@pytest.mark.parametrize("headers", [BROWSER, PROGRAM], ids=["browser", "program"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_methods(site: Site, method: str, headers: dict[str, str]) -> None:
    """RFC 9110, 15.5.6: Allow names what an address takes; a POST without a body is no form."""
    for target in sorted(site.routes):
        answer = site.client.request(method, target, headers=headers)
        takes_forms = method == "POST" and target in ("/search", "/robot/check", "/submit", "/api/submit")
        takes_tokens = target == "/api/recrawl"  # and is for POST alone
        usual = 401 if method == "POST" and takes_tokens else 405
        assert answer.status_code == (415 if takes_forms else usual), target
        if answer.status_code == 405:
            assert ("POST" if takes_tokens else "GET") in answer.headers["Allow"]
        assert is_well_refused(answer), target


def test_a_head_is_a_get_without_its_body(site: Site) -> None:
    """RFC 9110, 9.3.2."""
    for target in sorted(site.routes):
        answer = site.client.head(target, headers=BROWSER)
        assert (answer.status_code, answer.content) == (site.get(target).status_code, b""), target


@pytest.mark.parametrize("headers", [BROWSER, PROGRAM], ids=["browser", "program"])
@pytest.mark.parametrize(
    "target",
    [
        *("/nothing", "/search/", "/api", "/api/search/", "/API/search", "/api/%2e%2e/search"),
        *("/%00", "/%ff", "/%E2%80%AE", "/search;x=y", f"/{9_000 * 'a'}"),
        *("/%2e%2e/%2e%2e/etc/passwd", "/.git/config", "/.env", "/wp-login.php"),
        *("//evil.example", "/http://evil.example/", "/static/../app.py", "/static/%5c..%5capp.py"),
    ],
)
def test_addresses_that_lead_nowhere(site: Site, target: str, headers: dict[str, str]) -> None:
    answer = site.client.get(site.address + target, headers=headers)
    assert (answer.status_code, answer.has_redirect_location) == (404, False)
    assert is_well_refused(answer)
    assert "evil" not in answer.text
