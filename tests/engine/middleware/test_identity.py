"""Who we say we are, with every request."""

import pytest

from engine import VERSION
from engine.config import READABLE
from engine.middleware.identity import Identity
from engine.model.page import Claim, Purpose

ME = f"Lycosa/{VERSION}"


def claim(kind: Purpose = Purpose.PAGE, referrer: str = "", etag: str = "", last_modified: str = "") -> Claim:
    return Claim(
        1,
        "https://a.example/",
        "https://a.example",
        referrer=referrer,
        etag=etag,
        last_modified=last_modified,
        kind=kind,
    )


@pytest.mark.requirement(66, 67, 68, 253, 255, 310, 311)
@pytest.mark.parametrize("kind", Purpose)
@pytest.mark.parametrize(
    ("contact", "public_url", "agent", "sender", "why"),
    [
        ("a@b.example", "", f"{ME} (+a@b.example)", "a@b.example", "an e-mail address alone"),
        ("https://b.example/us", "", f"{ME} (+https://b.example/us)", None, "a URL is no mailbox"),
        ("https://b.example/@us", "", f"{ME} (+https://b.example/@us)", None, "even with an @"),
        ("a@b.example", "https://s.example", f"{ME} (+https://s.example/robot)", "a@b.example", "our page"),
        ("", "https://s.example", f"{ME} (+https://s.example/robot)", None, "nobody to write to"),
        ("", "", ME, None, "an own site needs no introduction"),
    ],
)
def test_who_we_are(
    kind: Purpose, contact: str, public_url: str, agent: str, sender: str | None, why: str
) -> None:
    """The same with every request, robots.txt included."""
    headers = Identity(contact, public_url).headers(claim(kind))
    assert (headers["User-Agent"], headers.get("From")) == (agent, sender), why


@pytest.mark.requirement(69)
@pytest.mark.parametrize(
    ("kind", "first", "some"),
    [
        (Purpose.PAGE, "text/html", READABLE),
        (Purpose.PROBE, "text/html", READABLE),
        (Purpose.ROBOTS, "text/plain", {"text/plain"}),
        (Purpose.SITEMAP, "application/xml", {"application/xml", "text/xml", "text/plain"}),
    ],
)
def test_what_we_take(kind: Purpose, first: str, some: set[str]) -> None:
    """The types that we read of each kind, then everything else."""
    types = Identity("").headers(claim(kind))["Accept"].split(", ")
    assert types[0] == first
    assert types[-1] == "*/*;q=0.1"
    assert some <= {name.partition(";")[0] for name in types}


@pytest.mark.requirement(69)
def test_what_the_operator_does_not_want_we_do_not_take() -> None:
    """Of a document in several types HTML is what we like best."""
    types = Identity("", types=frozenset(["text/html", "application/pdf"])).headers(claim())["Accept"]
    assert types == "text/html, application/pdf;q=0.7, */*;q=0.1"


@pytest.mark.requirement(70)
@pytest.mark.parametrize(
    ("referrer", "sent", "why"),
    [
        ("https://a.example/b?c=d", True, "requirement 70: a page of this host"),
        ("http://a.example/b", False, "the same name with another scheme"),
        ("https://a.example:8443/b", False, "the same name with another port"),
        ("https://www.a.example/b", False, "another name"),
        ("http://intranet/plans/secret.html", False, "a page of the operator's own network"),
        ("https://a.example.evil.example/", False, "a name that begins like it"),
    ],
)
def test_no_host_hears_of_another(referrer: str, sent: bool, why: str) -> None:
    headers = Identity("").headers(claim(referrer=referrer))
    assert headers.get("Referer") == (referrer if sent else None), why


@pytest.mark.requirement(70, 73)
def test_what_a_claim_adds() -> None:
    headers = Identity("").headers(claim(referrer="https://a.example/b", etag='"1"', last_modified="then"))
    assert headers["Referer"] == "https://a.example/b"
    assert (headers["If-None-Match"], headers["If-Modified-Since"]) == ('"1"', "then")
    assert not {"Referer", "If-None-Match", "If-Modified-Since"} & Identity("").headers(claim()).keys()
