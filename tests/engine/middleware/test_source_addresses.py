"""Which addresses hosts see, and whether a name leads to them and back."""

from collections.abc import Collection, Mapping
from ipaddress import ip_address

import pytest

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


def test_addresses_are_those_that_strangers_see() -> None:
    """A machine behind a router has none that it could know of."""
    assert all(ip_address(address).is_global for address in find_source_addresses())


def test_this_machine_by_its_resolver() -> None:
    """Loopback is in /etc/hosts: no question leaves the machine."""
    name = look_up_name("127.0.0.1")
    assert not name or "127.0.0.1" in look_up_addresses(name) or look_up_addresses(name)
    assert look_up_addresses("a..b") == ()
