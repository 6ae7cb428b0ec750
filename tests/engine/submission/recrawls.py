"""What tests of recrawls share: a site of three pages, and tokens."""

from pathlib import Path

from engine.config import Config, load_config
from engine.database import RECRAWL, write_side
from engine.store import parse_target
from engine.submission import add_token
from tests.crawling import HOST

WEB = {f"{HOST}/": [f"{HOST}/docs/a", f"{HOST}/docs/b"], f"{HOST}/docs/a": [], f"{HOST}/docs/b": []}


def config_of(folder: Path) -> Config:
    return load_config({"DATA_DIR": folder, "CRAWL_TOML": folder / "crawl.toml"})


def token_of(folder: Path, *sites: str, name: str = "deploy", per_hour: int = 100) -> str:
    with write_side(folder, RECRAWL) as ledger:
        return add_token(ledger, name, [parse_target(site) for site in sites], per_hour, 0.0)
