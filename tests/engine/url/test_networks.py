"""Which addresses are of the open Internet, in all their spellings, and which names say that they are not."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.url import canonicalize, host_name, is_local, is_public
from tests.tables import table

PRIVATE = [
    ("127.0.0.1", "as usual"),
    ("127.0.0.1.", "as a name of the DNS"),
    ("127.1", "in two parts"),
    ("127.0.1", "in three"),
    ("2130706433", "as one number"),
    ("0x7f000001", "in hexadecimal digits"),
    ("0X7F.0x0.0x0.0x1", "each part"),
    ("017700000001", "in octal digits"),
    ("0177.0.0.01", "each part"),
    ("0177.0x0.1", "mixed"),
    ("00000000177.0.0.1", "with zeros before it"),
    ("%31%32%37.0.0.1", "escaped"),
    ("127%2e0%2E0.1", "with escaped dots"),
    ("\uff11\uff12\uff17.0.0.1", "in full-width digits"),
    ("127\u30020\u30020\u30021", "with ideographic full stops"),
    ("\u2460\u2461\u2466.0.0.1", "in digits with a circle around"),
    ("127.0.\t0.1", "with a tab, which browsers drop"),
    ("0", "this host"),
    ("0x0", "the same"),
    ("10.1", "RFC 1918"),
    ("0xa.0.0.1", "the same"),
    ("012.0.0.1", "the same"),
    ("167772161", "the same"),
    ("192.168.257", "RFC 1918, in three parts"),
    ("0xa9fea9fe", "where clouds keep their keys"),
    ("2852039166", "the same"),
    ("0251.0376.0251.0376", "the same"),
    ("169.254.43518", "the same"),
    ("0xa83f8110", "Azure's own services"),
    ("100.64.1", "RFC 6598"),
    ("4294967295", "broadcast"),
    ("[::1]", "IPv6"),
    ("[0:0:0:0:0:0:0:1]", "the same"),
    ("[::]", "unspecified"),
    ("[::ffff:127.0.0.1]", "mapped"),
    ("[::FFFF:7F00:1]", "the same"),
    ("[::127.0.0.1]", "compatible"),
    ("[::ffff:0:127.0.0.1]", "SIIT"),
    ("[64:ff9b::10.0.0.1]", "NAT64"),
    ("[64:ff9b:1::a00:1]", "NAT64 of the local network"),
    ("[2002:a00:1::]", "6to4"),
    ("[2001:0:1::1]", "Teredo"),
    ("[fe80::1]", "link-local"),
    ("[fec0::1]", "site-local"),
    ("[fd00:ec2::254]", "unique local"),
    ("[2606::5efe:a00:1]", "ISATAP"),
    ("router", "a name without a dot is one of a local network"),
    ("router.", "the same"),
    ("localhost", "RFC 6761"),
    ("LOCALHOST", "names have no case"),
    ("a.localhost", "RFC 6761"),
    ("a.b.localhost.", "the same"),
    ("printer.local", "RFC 6762"),
    ("printer.local.", "the same"),
    ("metadata.google.internal", "ICANN, 2024: kept for private use"),
    ("host.docker.internal", "the same"),
    ("\uff49nternal.\uff49nternal", "the same in full-width letters"),
    ("a.home.arpa", "RFC 8375"),
    ("nas.lan", "RFC 6762, appendix G"),
    ("www.intranet", "the same"),
    ("a.corp", "the same"),
    ("a.home", "the same"),
    ("a.private", "the same"),
    ("localhost.localdomain", "as many systems have it"),
]
OPEN = [
    ("8.8.8.8", "an address of the open Internet"),
    ("134744072", "the same as one number"),
    ("[2606:2800:220:1::1]", "IPv6"),
    ("[::ffff:8.8.8.8]", "mapped"),
    ("www.example.org", "a name"),
    ("local.example", "a label that only looks like it"),
    ("mylocal.example", "the same"),
    ("internal.example.org", "the same"),
    ("a.notlocal", "the end of a label is no domain"),
    ("home.arpa.example", "not at the end"),
    ("127.0.0.1.example", "digits before a name"),
]


@pytest.mark.parametrize(("address", "public", "why"), table("addresses.json"))
def test_addresses(address: str, public: bool, why: str) -> None:
    assert is_public(address) is public, f"{address}: {why}"


@pytest.mark.parametrize(("host", "why"), PRIVATE)
def test_what_a_url_says_of_a_local_network(host: str, why: str) -> None:
    assert is_local(host_name(canonicalize(f"http://{host}/x"))), why
    assert is_local(host_name(canonicalize(f"https://{host}:8443/x"))), why


@pytest.mark.parametrize(("host", "why"), OPEN)
def test_what_may_be_of_the_open_internet(host: str, why: str) -> None:
    assert not is_local(host_name(canonicalize(f"http://{host}:8080/x"))), why


@given(st.ip_addresses())
def test_we_never_allow_what_python_knows_to_be_private(address: IPv4Address | IPv6Address) -> None:
    """But for what IPv6 may carry: some versions of Python look through it, others do not."""
    carried = isinstance(address, IPv6Address) and int(address) >> 32 in (0xFFFF, 0x64FF9B << 64)
    if is_public(str(address)) and not carried:
        assert address.is_global


@given(st.ip_addresses(v=4))
def test_clothes_make_no_address_public(address: IPv4Address) -> None:
    for clothes in ("::ffff:{}", "64:ff9b::{}"):
        assert is_public(clothes.format(address)) is is_public(str(address))
    for clothes in ("::{}", "::ffff:0:{}", "64:ff9b:1::{}", "2606::5efe:{}", "2606::200:5efe:{}"):
        assert not is_public(clothes.format(address))
    assert not is_public(str(ip_address((0x2002 << 112) | int(address) << 80)))


@given(st.text(max_size=30))
def test_whatever_is_no_address_is_not_public(text: str) -> None:
    is_public(text)
