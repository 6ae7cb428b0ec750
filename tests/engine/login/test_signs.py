"""What in an answer asks for a login."""

import pytest

from engine.config import Login
from engine.login.signs import Sign, find_sign

HOST = "https://h.example"
FORM = b"<form><input name=u><input type=password name=p></form>"
ROWS = [
    ("basic", 401, "", b"", Sign.STATUS, "RFC 9110, 15.5.2"),
    ("basic", 403, "", b"", None, "who we are is known, and not enough"),
    ("basic", 200, "", FORM, None, "a page as any"),
    ("basic", 302, f"{HOST}/login", b"", None, "the same"),
    ("bearer", 401, "", b"", Sign.STATUS, "RFC 6750, 3.1"),
    ("certificate", 400, "", b"", Sign.STATUS, "nginx, of a certificate that it does not know"),
    ("form", 403, "", b"", Sign.STATUS, "as many servers say it"),
    ("form", 404, "", FORM, None, "a page that is gone"),
    ("form", 200, "", FORM, Sign.FORM, "in place of the page"),
    ("form", 200, "", b"<p>text", None, "a page"),
    ("form", 302, f"{HOST}/login?next=/a", b"", Sign.REDIRECT, "to the form"),
    ("form", 302, f"{HOST}/login/help", b"", None, "to a page"),
    ("form", 302, f"{HOST}/sso/start", b"", None, "crawl.toml says where the form is"),
    ("cookies", 302, "https://sso.example/saml2/idp", b"", Sign.REDIRECT, "as hosts send people away"),
    ("cookies", 302, f"{HOST}/user/Sign-In.aspx", b"", Sign.REDIRECT, "the same"),
    ("cookies", 302, f"{HOST}/blogging/auth.html", b"", Sign.REDIRECT, "a guess, as nothing is said"),
    ("cookies", 302, f"{HOST}/catalogin/author", b"", None, "other words"),
]


@pytest.mark.parametrize(
    ("kind", "status", "target", "body", "sign", "why"), ROWS, ids=[row[-1] for row in ROWS]
)
def test_signs(kind: str, status: int, target: str, body: bytes, sign: Sign | None, why: str) -> None:
    login = Login(HOST, kind, url=f"{HOST}/login" if kind == "form" else "")
    assert find_sign(login, status, target, lambda: body) is sign, why
