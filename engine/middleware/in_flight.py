"""Bodies in flight: how many bytes they have together, from the first that comes until they were read.

With a thousand hosts that send ten megabytes each, what is under way would be gigabytes. Beyond a first bound
no request begins; beyond a second one those that have more than their share are put back, to be asked again.
"""

from scrapy import Request

MAX_BYTES = 96_000_000  # of all bodies, beyond which no request begins; 256 usual ones have 13 MB
MOST_BYTES = 160_000_000  # beyond which large ones are put back; some 400 MB, with what handling them takes
SHARE = 256 * 1024  # bytes that a body may have in any case: those of CONCURRENT_REQUESTS are 64 MB

_HELD = "held"  # in a request's meta: how many bytes of its answer are in memory


class InFlight:
    """Bytes of bodies in memory, by what came and what was done with."""

    def __init__(self) -> None:
        self.held = 0

    @property
    def full(self) -> bool:
        """Whether no request should begin."""
        return self.held >= MAX_BYTES

    def take(self, request: Request, size: int) -> bool:
        """So many bytes more have come; False when there is no room for what the request brings."""
        self.held += size
        held: int = request.meta.get(_HELD, 0) + size
        request.meta[_HELD] = held
        return held <= SHARE or self.held <= MOST_BYTES

    def give_back(self, request: Request | None) -> None:
        """What a request brought has been done with; again does no harm."""
        if request is not None:
            self.held -= request.meta.pop(_HELD, 0)
