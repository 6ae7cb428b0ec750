"""Keeps a search service for each view that people have: whoever sees the same pages shares one."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from engine.audience import View
from engine.search.search import SearchService

MAX_VIEWS = 8  # that are open, those used last; each takes 24 MB of answers, and 4 bytes a document


class SearchViews:
    """The services of all views of an index that hides pages; safe for several threads."""

    def __init__(self, open_service: Callable[[View], SearchService]) -> None:
        self._open_service = open_service
        self._lock = Lock()
        self._services: OrderedDict[View, SearchService] = OrderedDict()

    def find(self, view: View) -> SearchService:
        """Finds the service of a view. The one that was not used for longest is closed where there are more
        than MAX_VIEWS; who is about to use it opens its files once more.
        """
        with self._lock:
            found = self._services.get(view) or self._open_service(view)
            self._services[view] = found
            self._services.move_to_end(view)
            oldest = self._services.popitem(last=False)[1] if len(self._services) > MAX_VIEWS else None
        if oldest:
            oldest.close()
        return found
