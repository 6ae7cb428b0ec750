"""`allow_private` names hosts, one by one."""

from pathlib import Path

import pytest

from engine.errors import EngineError
from tests.engine.config.test_load import read


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("10.0.0.0/8", "a network"),
        ("http://192.168.0.0/16", "the same as people write addresses"),
        ("fd00::/8", "of IPv6"),
        ("*.lan", "a pattern"),
    ],
)
def test_what_is_more_than_a_host_is_refused(tmp_path: Path, name: str, why: str) -> None:
    """It was taken for a name, and did nothing; as a network it would open it to any stranger's name."""
    with pytest.raises(EngineError, match=r"line 1: allow_private: .* is more than a host; name each one"):
        read(tmp_path, f'allow_private = ["{name}"]')
    with pytest.raises(EngineError, match=r"ALLOW_PRIVATE: .* is more than a host"):
        read(tmp_path, None, ALLOW_PRIVATE=f"a.lan, {name}")


@pytest.mark.parametrize("name", ["intranet", "127.0.0.1:8000", "[::1]:80", "::1", "http://intranet.lan/"])
def test_what_is_a_host(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, f'allow_private = ["{name}"]').allow_private == (name,)
