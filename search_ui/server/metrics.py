"""Counts requests and their durations, in Prometheus' text format 0.0.4."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.metrics import Metric

MEDIA_TYPE = "text/plain; version=0.0.4"
BOUNDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds; a page should take 8 ms
NO_ROUTE = "other"  # all addresses that lead nowhere are one, as strangers invent them
_REQUESTS = "lycosa_http_requests"
_SECONDS = "lycosa_http_request_duration_seconds"


class RequestMetrics:
    """Counts requests by route and status, and their seconds by route: bounded by the number of routes.

    Not for several threads: only the event loop counts.
    """

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.buckets: dict[str, list[int]] = {}
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, route: str, status: int, seconds: float) -> None:
        """Counts one response."""
        self.requests[route, status] += 1
        buckets = self.buckets.setdefault(route, [0] * (len(BOUNDS) + 1))
        buckets[bisect_left(BOUNDS, seconds)] += 1
        self.seconds[route] += seconds

    def add_many(self, route: str, status: int, buckets: Sequence[int], seconds: float) -> None:
        """Counts responses by their durations, which are `seconds` in all."""
        self.requests[route, status] += sum(buckets)
        before = self.buckets.get(route, [0] * len(buckets))
        self.buckets[route] = [one + more for one, more in zip(before, buckets, strict=True)]
        self.seconds[route] += seconds

    def format_lines(self) -> Iterator[str]:
        """Formats the counts as Prometheus reads them."""
        yield from _head(f"{_REQUESTS}_total", "counter", "Requests answered, by route and status.")
        for (route, status), count in sorted(self.requests.items()):
            yield f'{_REQUESTS}_total{{route="{route}",status="{status}"}} {count}'
        yield from _head(_SECONDS, "histogram", "Seconds from a request's head to its answer's end.")
        for route, buckets in sorted(self.buckets.items()):
            *below, count = accumulate(buckets)
            for bound, so_far in zip(BOUNDS, below, strict=True):
                yield f'{_SECONDS}_bucket{{route="{route}",le="{bound:g}"}} {so_far}'
            yield f'{_SECONDS}_bucket{{route="{route}",le="+Inf"}} {count}'
            yield f'{_SECONDS}_sum{{route="{route}"}} {self.seconds[route]:.6f}'
            yield f'{_SECONDS}_count{{route="{route}"}} {count}'


def format_gauges(values: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    """Formats gauges by name, each with its help text."""
    for name, (about, value) in values.items():
        yield from _head(name, "gauge", about)
        yield f"{name} {value:g}" if value < 1_000_000 else f"{name} {value:.0f}"


def format_metrics(metrics: Iterable[Metric]) -> Iterator[str]:
    """Formats metrics with labels."""
    for metric in metrics:
        yield from _head(metric.name, metric.kind, metric.about)
        for labels, value in metric.samples:
            pairs = ",".join(f'{name}="{_escape(text)}"' for name, text in labels)
            yield f"{metric.name}{pairs and f'{{{pairs}}}'} {value:.15g}"


class MetricsMiddleware:
    """Counts every response, server errors included."""

    def __init__(self, app: ASGIApp, counts: RequestMetrics, clock: Callable[[], float]) -> None:
        self.app = app
        self.counts = counts
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, and counts it once it is answered."""
        started, status = self.clock(), 500  # what is answered where nothing comes back

        async def send_counted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            route = scope["route"].path if "route" in scope else NO_ROUTE
            self.counts.add(route, status, self.clock() - started)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
