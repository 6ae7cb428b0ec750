"""A data folder whose crawl.toml names a host on loopback, and a clock."""

from dataclasses import dataclass
from pathlib import Path

from engine.config import Config, load_config
from engine.middleware.identity import Identity
from engine.ownership import OwnerAccess
from tests.web.scripted import Site

IDENTITY = Identity("owner@crawl.example", "https://search.example")
START = 1_800_000_000.0


@dataclass
class Now:
    seconds: float = START

    def __call__(self) -> float:
        return self.seconds


def configured(folder: Path, site: Site, *more: str) -> Config:
    """Names this host, and allows its address; `more` are hosts that are named and not allowed."""
    seeds = ", ".join(f'"{url}"' for url in (site.url("/"), *more))
    text = f'contact = "owner@crawl.example"\nallow_private = ["{site.address}:{site.port}"]\n'
    (folder / "crawl.toml").write_text(f"{text}[[site]]\nseeds = [{seeds}]\n", encoding="utf-8")
    data = folder / "data"
    data.mkdir(exist_ok=True)
    return load_config({"DATA_DIR": data, "CRAWL_TOML": folder / "crawl.toml"})


def host_of_site(site: Site) -> str:
    return site.url("")


def access_to(config: Config, now: Now) -> OwnerAccess:
    return OwnerAccess(config, IDENTITY, now)
