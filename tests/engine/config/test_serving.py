"""The table [serve] of crawl.toml."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from engine.config import ServerConfig
from engine.errors import EngineError
from tests.engine.config.test_load import read


def test_without_a_word_nobody_else_reads_the_api_and_no_proxy_is_believed(tmp_path: Path) -> None:
    assert read(tmp_path, "[serve]").server == read(tmp_path, None).server == ServerConfig((), (), 10, 40)


def test_all_that_can_be_written(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        '[serve]\ncors_origins = ["HTTPS://Bücher.example:443/", "http://b.example:81"]\n'
        'trusted_proxies = ["127.0.0.1", "fd00::/8"]\nrequests_per_second = 0\nburst = 1',
    )
    assert config.server == ServerConfig(
        cors_origins=("https://xn--bcher-kva.example", "http://b.example:81"),
        trusted_proxies=(ip_network("127.0.0.1/32"), ip_network("fd00::/8")),
        requests_per_second=0,
        burst=1,
    )
    assert read(tmp_path, '[serve]\ncors_origins = ["*"]').server.cors_origins == ("*",)
    wide = read(
        tmp_path, '[serve]\ntrusted_proxies = ["10.0.0.0/8", "fc00::/7", "104.16.0.0/12", "2400:cb00::/32"]'
    ).server
    assert len(wide.trusted_proxies) == 4, "a network of one's own, and those of a CDN"
    assert not read(tmp_path, None).past_queries, "until the operator chooses"
    assert read(tmp_path, "[serve]\npast_queries = true").past_queries
    assert read(tmp_path, '[serve]\nadmin_address = "[::1]:8001"').server.admin_address == ("::1", 8001)
    names = read(tmp_path, '[serve]\nallowed_hosts = ["Search.LAN", "bücher.example"]').server.allowed_hosts
    assert names == ("search.lan", "xn--bcher-kva.example")


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('cors_origins = ["www.example.org/"]', 'write, for example, "https://www.example.org"'),
        ('cors_origins = ["https://a.example/docs"]', "an origin has no path"),
        ('cors_origins = ["null"]', 'write, for example, "https://www.example.org"'),
        ('cors_origins = ["*", "https://a.example"]', '"*" means every origin; write it alone'),
        ('cors_origins = "*"', "write a list of texts"),
        ('trusted_proxies = ["proxy.example"]', 'write, for example, "10.0.0.5"'),
        ('trusted_proxies = ["10.0.0.1/8"]', "has host bits set"),
        ('trusted_proxies = ["0.0.0.0/0"]', "strangers in it, who would be trusted"),
        ('trusted_proxies = ["::/0"]', "strangers in it, who would be trusted"),
        ('trusted_proxies = ["8.0.0.0/8"]', "strangers in it, who would be trusted"),
        ('trusted_proxies = ["0.0.0.0/1"]', "strangers in it, who would be trusted"),
        ('trusted_proxies = ["2000::/3"]', "strangers in it, who would be trusted"),
        ('trusted_proxies = ["8.0.0.0/7"]', "strangers in it, who would be trusted"),
        ('allowed_hosts = ["search.lan:8000"]', "a name has no port"),
        ('allowed_hosts = ["http://a.example"]', 'write, for example, "search.example.org"'),
        ('admin_address = "127.0.0.1"', 'write "127.0.0.1:8001"'),
        ('admin_address = ":8001"', 'write "127.0.0.1:8001"'),
        ('admin_address = "127.0.0.1:0"', 'write "127.0.0.1:8001"'),
        ('admin_address = "127.0.0.1:65536"', 'write "127.0.0.1:8001"'),
        ('playback = "web.archive.org/{url}"', "is no URL; write 'https://web.archive.org"),
        ('playback = "https://web.archive.org/"', "lacks {url}; write"),
        ("burst = 0", "write a whole number from 1"),
        ("requests_per_second = -1", "write a whole number from 0"),
        (
            "rate = 3",
            "rate is unknown; write one of cors_origins, trusted_proxies, allowed_hosts",
        ),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(tmp_path: Path, written: str, says: str) -> None:
    with pytest.raises(EngineError) as raised:
        read(tmp_path, f"[serve]\n{written}")
    assert says in str(raised.value)
    assert "line 2" in str(raised.value)
