"""A spider that asks for what it pleases, as one does that knows nothing of the frontier."""

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import Response

from engine.model import Visit
from spiders.web import WebSpider


class CarelessSpider(WebSpider):
    """Asks for two more pages of a host beside each that the frontier gives out, behind its back."""

    name = "web"

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        """The visit, and two requests of its own."""
        found: Iterator[Visit] = super().parse(response, **kwargs)
        yield from found
        for path in ("/private/page", "/open/page"):
            yield Request(response.urljoin(path), callback=self.ignored, dont_filter=True)

    def ignored(self, response: Response) -> None:
        """Nothing comes of it."""
