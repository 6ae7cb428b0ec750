"""Checks that no setting of the operator's own code switches off a gate of the crawl."""

from collections.abc import Mapping
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from scrapy.utils.misc import load_object

from engine import settings as ours
from engine.errors import EngineError

_COMPONENTS = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS")
_FIXED = (
    *(f"{name}_BASE" for name in _COMPONENTS),
    *("DOWNLOAD_HANDLERS_BASE", "TWISTED_DNS_RESOLVER", "DOWNLOAD_VERIFY_CERTIFICATES"),
    *("SCHEDULER", "ITEM_PROCESSOR"),
)
"""The gates, the pace and the walk of each crawl."""
_UNUSED = {
    "ROBOTSTXT_OBEY": "robots.txt is always obeyed",
    "USER_AGENT": "contact in crawl.toml says who asks",
    "DOWNLOAD_DELAY": "profile in crawl.toml sets the pace",
    "DOWNLOADER": "requests go by the gates alone",
    "DOWNLOAD_HANDLERS": "requests go by the gates alone",
}
"""Settings by which one would ask hosts otherwise, and what holds instead."""


def require_settings(settings: BaseSettings) -> None:
    """Raises EngineError where a gate would be off, or where a setting would have no effect on one."""
    for name in _FIXED:
        if _plain(settings.get(name)) != getattr(ours, name):
            raise EngineError(f"{name}: a gate of the crawl would be off; leave it as engine.settings has it")
    for name in _COMPONENTS:
        places = _load_places(settings, name)
        for gate, place in getattr(ours, f"{name}_BASE").items():
            if places.get(load_object(gate)) != place:
                raise EngineError(f"{name}: {gate} is a gate of the crawl; leave it at {place}")
    for name, holds in _UNUSED.items():
        given = (settings.getpriority(name) or 0) > SETTINGS_PRIORITIES["project"]
        if given and not (name == "ROBOTSTXT_OBEY" and settings.getbool(name)):
            raise EngineError(f"{name} has no effect in Lycosa: {holds}; leave it out")


def _load_places(settings: BaseSettings, name: str) -> dict[Any, int | None]:
    """Loads the components of a setting, ours and own ones, with their places. Raises EngineError."""
    try:
        places = settings.get_component_priority_dict_with_base(name)
        return {load_object(component): place for component, place in places.items()}
    except Exception as error:  # whatever a module of the operator's raises
        raise EngineError(f"{name}: cannot be loaded: {type(error).__name__}: {error}") from error


def _plain(value: Any) -> Any:
    """Returns settings as a dict, and other values as they are."""
    return dict(value) if isinstance(value, Mapping) else value
