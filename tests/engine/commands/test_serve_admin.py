"""Where `scrapy serve` has the operator's pages."""

from pathlib import Path

import httpx
import pytest

from engine.commands.serve import list_addresses
from engine.config import ServerConfig
from engine.errors import EngineError
from tests.running import WAIT_SECONDS, scrapy, serving
from tests.search_ui.admin.conftest import PASSWORD

OWN = "127.9.47.1"


def get(url: str) -> httpx.Response:
    return httpx.get(url, timeout=WAIT_SECONDS, trust_env=False)


def test_a_password_turns_them_on_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as address:
        assert get(f"{address}/admin/login").status_code == 404
        monkeypatch.setattr("engine.commands.administration.passwd._ask", lambda: PASSWORD)
        scrapy(tmp_path, "passwd")
        assert get(f"{address}/admin/login").status_code == 200
        scrapy(tmp_path, "passwd", "--off")
        assert get(f"{address}/admin/login").status_code == 404


def test_an_address_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.commands.administration.passwd._ask", lambda: PASSWORD)
    scrapy(tmp_path, "passwd")
    (tmp_path / "crawl.toml").write_text(f'[serve]\nadmin_address = "{OWN}:18437"\n', encoding="utf-8")
    with serving(tmp_path) as address:
        assert get(f"{address}/admin/login").status_code == 404
        assert get(f"http://{OWN}:18437/admin/login").status_code == 200
        assert get(f"http://{OWN}:18437/health").status_code == 200


def test_it_is_not_the_port_of_the_search_page() -> None:
    own = ServerConfig(admin_address=("127.0.0.1", 8001))
    assert list_addresses("0.0.0.0", 8000, own) == [("0.0.0.0", 8000), ("127.0.0.1", 8001)]
    assert list_addresses("0.0.0.0", 8000, ServerConfig()) == [("0.0.0.0", 8000)]
    with pytest.raises(
        EngineError, match="admin_address in \\[serve\\] has the port of the search page, 8001"
    ):
        list_addresses("::1", 8001, own)
