"""A spider middleware that asks for what it pleases, as one does that knows nothing of the frontier."""

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.http import Response


class CarelessMiddleware:
    """Asks for two more pages of a host beside each that the frontier gives out, behind its back."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """The visit, and two requests of its own."""
        async for found in result:
            yield found
        for path in ("/private/page", "/open/page") if "claim" in response.meta else ():
            yield Request(response.urljoin(path), callback=self.ignored, dont_filter=True)

    def ignored(self, response: Response) -> None:
        """Nothing comes of it."""
