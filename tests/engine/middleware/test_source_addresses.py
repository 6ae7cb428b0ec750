"""Which addresses hosts see, and whether a name leads to them and back."""

import socket
from collections.abc import Collection, Mapping
from typing import NoReturn

import pytest

from engine.middleware import source_addresses as module
from engine.middleware.source_addresses import (
    describe_nameless,
    find_source_addresses,
    look_up_addresses,
    look_up_name,
)

V4, V6 = "203.0.113.7", "2001:db8::7"


@pytest.mark.requirement(254, 311)
@pytest.mark.parametrize(
    ("names", "addresses", "said", "why"),
    [
        ({V4: "bot.example.org"}, {"bot.example.org": [V4]}, "", "there and back"),
        ({V4: "bot.example.org"}, {"bot.example.org": ["203.0.113.8", V4]}, "", "one of several"),
        ({}, {}, "203.0.113.7 has no name (PTR record)", "nobody gave it one"),
        ({V4: "x.example"}, {"x.example": ["203.0.113.8"]}, "the name x.example, which does", "a lie"),
        ({V4: "x.example"}, {}, "the name x.example, which does", "a name that leads nowhere"),
    ],
)
def test_a_name_leads_to_an_address_and_back(
    names: Mapping[str, str], addresses: Mapping[str, Collection[str]], said: str, why: str
) -> None:
    lines = list(describe_nameless([V4], lambda one: names.get(one, ""), lambda one: addresses.get(one, ())))
    assert len(lines) == bool(said), why
    assert not said or said in lines[0], why


def test_the_spelling_of_an_address_is_no_difference() -> None:
    found = describe_nameless([V6], lambda _: "bot.example.org", lambda _: ["2001:0db8:0:0:0:0:0:7"])
    assert list(found) == []


def test_addresses_are_those_that_strangers_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine behind a router has none that it could know of."""
    seen = ["192.168.1.5", "9.9.9.9", "fe80::1", "fd00::1", "2620:fe::9", "127.0.0.1"]
    monkeypatch.setattr(module, "_list_source_addresses", lambda: iter(seen))
    assert find_source_addresses() == ("9.9.9.9", "2620:fe::9")


def test_a_way_out_has_an_address_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent; a family without a way out is left out."""
    elsewhere = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "no address"))
    monkeypatch.setattr(module, "_ELSEWHERE", elsewhere)
    assert list(module._list_source_addresses()) == ["127.0.0.1"]


def test_what_no_resolver_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no error: the machine may be without a network."""

    def fail(*_: object) -> NoReturn:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    assert look_up_addresses("127.0.0.1") == {"127.0.0.1"}
    assert look_up_addresses("a..b") == ()
    monkeypatch.setattr(socket, "gethostbyaddr", fail)
    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert look_up_name("9.9.9.9") == ""
    assert look_up_addresses("bot.example.org") == ()
