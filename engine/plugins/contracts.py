"""Checks the contracts of a spider's hooks: Scrapy's lines in their docstrings, as @url and @returns.

A hook takes a page beside its response. So it is called here as Scrapy calls a callback: `extract` gives one
item, the page's texts, `links` a request for each URL, `items` its items.
"""

from collections.abc import Callable, Iterable, Iterator
from types import MethodType
from typing import Any
from unittest import TestResult

from scrapy import Request
from scrapy.contracts import ContractsManager
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from engine.model import Page

Pages = dict[str, tuple[Page, Response]]
"""What was fetched and read, by the URL that a contract names."""


class HookContracts:
    """The contracts of one spider; `result` collects what holds and what does not."""

    def __init__(self, spider: Any, settings: BaseSettings, result: TestResult) -> None:
        self._spider = spider
        spider.own_hooks = spider.find_own_hooks()
        self._pages: Pages = {}
        places = settings.get_component_priority_dict_with_base("SPIDER_CONTRACTS")
        contracts = ContractsManager(map(load_object, build_component_list(places)))
        methods = (self._as_callback(name) for name in sorted(spider.own_hooks))
        made = (
            contracts.from_method(method, result) for method in methods if "@url" in (method.__doc__ or "")
        )
        self._requests = tuple(request for request in made if request)

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs that the contracts name, each once."""
        return tuple(dict.fromkeys(request.url for request in self._requests))

    def check(self, pages: Pages) -> None:
        """Calls the hooks on pages that were read."""
        self._pages = pages
        for request in self._requests:
            _, response = pages[request.url]
            assert request.callback
            request.callback(response.replace(request=request))

    def _as_callback(self, name: str) -> Callable[..., Any]:
        hook = getattr(self._spider, name)

        def callback(spider: Any, response: Response) -> list[Any]:
            page = self._pages[response.request.url][0]  # type: ignore[union-attr]  # check() puts it there
            return list(_as_output(name, hook(page, response), response))

        callback.__name__, callback.__doc__ = name, hook.__doc__
        return MethodType(callback, self._spider)


def _as_output(name: str, found: Any, response: Response) -> Iterator[Any]:
    """Returns what a hook found as Scrapy's contracts expect it."""
    if name == "extract":
        yield {field: getattr(found, field) for field in ("url", "title", "description", "language", "text")}
    elif name == "links":
        yield from (Request(response.urljoin(str(url))) for url in _iterable(found))
    else:
        yield from _iterable(found)


def _iterable(found: Any) -> Iterable[Any]:
    return found if found is not None else ()
