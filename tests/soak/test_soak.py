"""A soak in small: it samples, survives a full disk and a kill, and tells what grows."""

import json
from pathlib import Path

import pytest

from tests.soak.sample import Sample
from tests.soak.soak import run
from tests.soak.verdict import growing, plot


def sample_at(second: int, memory: float, files: int) -> Sample:
    return Sample(second, {"crawl": memory}, {}, {"crawl": files}, 1.0, second, 5.0, 0)


@pytest.mark.parametrize(
    ("memory", "files", "said", "why"),
    [
        (lambda t: 300.0, lambda t: 100, 0, "flat"),
        (lambda t: min(3.0 * t, 300), lambda t: 100, 0, "it grows at first, as everything does"),
        (lambda t: 300 + (t % 7) * 9, lambda t: 100 + t % 5, 0, "up and down"),
        (lambda t: 300 + t / 3, lambda t: 100, 1, "memory leaks"),
        (lambda t: 300.0, lambda t: 100 + t // 10, 1, "descriptors leak"),
    ],
)
def test_what_goes_on_growing_is_named(memory, files, said, why) -> None:  # type: ignore[no-untyped-def]
    samples = [sample_at(second, memory(second), files(second)) for second in range(0, 600, 5)]
    assert len(list(growing(samples))) == said, why


@pytest.mark.long
def test_a_soak_in_small(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    samples, codes = run(tmp_path, 10, 60, log)
    assert [json.loads(line)["pages"] for line in log.read_text().splitlines()] == [
        one.pages for one in samples
    ]
    events = " ".join(one.event for one in samples)
    assert "disk full" in events
    assert "kill -9 ended with -9, begun again" in events
    assert samples[-1].pages > samples[0].pages
    assert set(codes) <= {-9, 0, 2, 3}
    plot(tmp_path / "soak.svg", samples)
