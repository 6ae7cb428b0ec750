"""Whether a soak was flat: in its second half neither memory nor open files go on growing."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, linear_regression

from benchmarks.instruments.plot import Curve, write_plot
from tests.soak.sample import Sample

STEADY = ("crawl", "page")  # roles that live as long as their command; readers and follower come and go
MAX_GROWTH = 0.10  # of the mean, from the beginning of the second half to its end, by linear regression
SLACK = {"memory": 20.0, "files": 16.0}  # megabytes and descriptors that are no growth
POINTS = 12  # of a curve in the plot


def growing(samples: Sequence[Sample]) -> Iterator[str]:
    """What grew in the second half by more than it may; nothing when it is flat."""
    end = samples[-1].seconds
    late = [one for one in samples if one.seconds > end / 2]
    for kind, slack in SLACK.items():
        for role in STEADY:
            seen = [(one.seconds, getattr(one, kind)[role]) for one in late if role in getattr(one, kind)]
            if len(seen) < 3:
                continue
            times, values = zip(*seen, strict=True)
            growth = linear_regression(times, values).slope * end / 2
            if growth > max(slack, MAX_GROWTH * fmean(values)):
                yield f"{role}: {kind} grew by {growth:,.0f} in the second half, of {fmean(values):,.0f}"


def plot(path: Path, samples: Sequence[Sample]) -> None:
    """Memory, waiting time, pace and disk over the minutes, as far as a small picture shows them."""
    every = max(len(samples) // POINTS, 1)
    groups = [samples[at : at + every] for at in range(0, len(samples), every)]
    series = {
        "memory of the crawl, MB": [fmean(one.memory.get("crawl", 0) for one in group) for group in groups],
        "search p99, ms": [fmean(one.p99 for one in group) for group in groups],
        "pages a minute": [60 * _rate(group) for group in groups],
        "disk, MB": [group[-1].disk for group in groups],
    }
    minutes = [group[-1].seconds / 60 for group in groups]
    curves = [
        Curve(name, [(x, max(y, 1.0)) for x, y in zip(minutes, values, strict=True)], dashed=number > 1)
        for number, (name, values) in enumerate(series.items())
    ]
    write_plot(path, "Soak: minutes since its beginning", curves)


def _rate(group: Sequence[Sample]) -> float:
    seconds = group[-1].seconds - group[0].seconds
    return (group[-1].pages - group[0].pages) / seconds if seconds else 0.0
