"""Runs own pipelines beside the walk: they see each visit and may drop it, but cannot lose it.

Own ones are those of ITEM_PIPELINES, as in any project of Scrapy's, and those that installed packages offer
as entry points of GROUP.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.pipelines import ItemPipelineManager
from scrapy.settings import BaseSettings
from scrapy.utils.conf import build_component_list
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.misc import load_object

from engine.errors import EngineError
from engine.model import State, Visit
from engine.settings import ITEM_PIPELINES_BASE

logger = logging.getLogger("lycosa")
GROUP = "lycosa.pipelines"
PLACE = 450  # of an entry point: behind the decisions about a visit, before the store
Method = Callable[..., Any]


class VisitPipelines(ItemPipelineManager):
    """Scrapy's item pipelines, of which ours get visits alone and own ones all items."""

    def __init__(self, *pipelines: Any, **options: Any) -> None:
        self._classes = tuple(load_object(path) for path in ITEM_PIPELINES_BASE)
        self._told: set[str] = set()
        super().__init__(*pipelines, **options)

    @classmethod
    def _get_mwlist_from_settings(cls, settings: BaseSettings) -> list[Any]:
        places = settings.get_component_priority_dict_with_base("ITEM_PIPELINES")
        named = (*places, *(settings["ITEM_PIPELINES"] or ()))  # those, too, that are turned off by None
        known = {load_object(component) for component in named}
        for offered in sorted(entry_points(group=GROUP)):
            pipeline = _load(offered)
            if pipeline not in known:
                places[pipeline] = PLACE
                logger.info("own pipeline: %s", offered.value)
        return build_component_list(places)

    async def process_item_async(self, item: Any) -> Any:
        """Passes an item through. A visit always comes to the end of the walk.

        Raises DropItem for one that was dropped, which is then stored as skipped.
        """
        dropped: DropItem | None = None
        for method in self.methods["process_item"]:
            assert method
            own = not isinstance(getattr(method, "__self__", None), self._classes)
            if not isinstance(item, Visit):
                item = await self._call(method, item) if own else item
            elif not own:
                item = await self._call(method, item)
            elif dropped is None and (dropped := await self._offer(method, item)):
                name = type(getattr(method, "__self__", method)).__name__
                item = replace(item, state=State.SKIPPED, reason=f"dropped by {name}", again=False)
        if dropped:
            raise dropped
        return item

    async def _offer(self, method: Method, visit: Visit) -> DropItem | None:
        """Shows a visit to an own pipeline; returns why it drops it. What else it raises is counted."""
        try:
            await self._call(method, visit)
        except DropItem as error:
            return error
        except Exception as error:
            kind = type(error).__name__
            assert self.crawler
            assert self.crawler.stats
            self.crawler.stats.inc_value(f"lycosa/pipeline_exceptions/{kind}")
            if kind not in self._told:
                self._told.add(kind)
                logger.exception("own pipeline %s raised; the page is kept", method.__qualname__)
        return None

    async def _call(self, method: Method, item: Any) -> Any:
        takes_spider = method in self._mw_methods_requiring_spider
        return await ensure_awaitable(method(item, self._spider) if takes_spider else method(item))


def _load(offered: EntryPoint) -> Any:
    """Loads a pipeline of an installed package. Raises EngineError where that fails."""
    try:
        return offered.load()
    except Exception as error:  # whatever a module of a stranger's raises
        raise EngineError(
            f"entry point {offered.name} = {offered.value!r} of {GROUP} cannot be loaded: {error}; mend or "
            "remove its package"
        ) from error
