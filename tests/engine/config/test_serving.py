"""The table [serve] of crawl.toml."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from engine.config import Serving
from engine.errors import EngineError
from tests.engine.config.test_load import read


def test_without_a_word_nobody_else_reads_the_api_and_no_proxy_is_believed(tmp_path: Path) -> None:
    assert read(tmp_path, "[serve]").serve == read(tmp_path, None).serve == Serving((), (), 10, 40)


def test_all_that_can_be_written(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        '[serve]\norigins = ["HTTPS://Bücher.example:443/", "http://b.example:81"]\n'
        'proxies = ["127.0.0.1", "fd00::/8"]\nrequests_per_second = 0\nburst = 1',
    )
    assert config.serve == Serving(
        origins=("https://xn--bcher-kva.example", "http://b.example:81"),
        proxies=(ip_network("127.0.0.1/32"), ip_network("fd00::/8")),
        requests_per_second=0,
        burst=1,
    )
    assert read(tmp_path, '[serve]\norigins = ["*"]').serve.origins == ("*",)
    wide = read(
        tmp_path, '[serve]\nproxies = ["10.0.0.0/8", "fc00::/7", "104.16.0.0/12", "2400:cb00::/32"]'
    ).serve
    assert len(wide.proxies) == 4, "a network of one's own, and those of a CDN"
    assert not read(tmp_path, None).past_queries, "until the operator chooses"
    assert read(tmp_path, "[serve]\npast_queries = true").past_queries
    assert read(tmp_path, "past_queries = true").past_queries, "as it was written before"
    names = read(tmp_path, '[serve]\nnames = ["Search.LAN", "bücher.example"]').serve.names
    assert names == ("search.lan", "xn--bcher-kva.example")


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('origins = ["www.example.org/"]', 'write such as "https://www.example.org"'),
        ('origins = ["https://a.example/docs"]', "an origin has no path"),
        ('origins = ["null"]', 'write such as "https://www.example.org"'),
        ('origins = ["*", "https://a.example"]', '"*" is all there are; write it alone'),
        ('origins = "*"', "write a list of texts"),
        ('proxies = ["proxy.example"]', 'write such as "10.0.0.5"'),
        ('proxies = ["10.0.0.1/8"]', "has host bits set"),
        ('proxies = ["0.0.0.0/0"]', "strangers, whose word would count"),
        ('proxies = ["::/0"]', "strangers, whose word would count"),
        ('proxies = ["8.0.0.0/8"]', "strangers, whose word would count"),
        ('proxies = ["0.0.0.0/1"]', "strangers, whose word would count"),
        ('proxies = ["2000::/3"]', "strangers, whose word would count"),
        ('proxies = ["8.0.0.0/7"]', "strangers, whose word would count"),
        ('names = ["search.lan:8000"]', "a name has no port"),
        ('names = ["http://a.example"]', 'write such as "search.example.org"'),
        ("burst = 0", "write a whole number from 1"),
        ("requests_per_second = -1", "write a whole number from 0"),
        ("rate = 3", "rate is unknown; write one of origins, proxies, requests_per_second, burst"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(tmp_path: Path, written: str, says: str) -> None:
    with pytest.raises(EngineError) as raised:
        read(tmp_path, f"[serve]\n{written}")
    assert says in str(raised.value)
    assert "line 2" in str(raised.value)
