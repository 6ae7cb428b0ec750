"""What is kept of segments while commits come and go changes no answer: as an index finds it that is new."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.index.indexing.follow import Follower
from engine.index.reader.cache import IndexCache
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.ranking import Ranking
from engine.search.answer import answer_query
from tests.engine.index.source import WORDS, Memory, page

SOME = [*WORDS, "łódź", "lodz"]
COMMITS = 7  # on the way segments are merged
QUERIES = [
    *("amber", "north", "amber pine", "amber basil cedar north", "olive OR pine", "amber -basil"),
    *('"amber basil"', '"north amber"', "amber-basil", "amber-basil cedar", 'cedar "basil amber" -fern'),
    *("lonely", "lonely amber", '"lonely amber"', "nowhere", "nowhere lonely", "lodz", "lodz cedar"),
]


def opened(data_dir: Path, cache: IndexCache) -> DirectorySnapshot:
    generation = generations.current_generation(data_dir)
    assert generation
    return DirectorySnapshot(generation, cache, Ranking())


def found(snapshot: DirectorySnapshot, typed: str) -> tuple[int, int, dict[str, float]]:
    """How many, how many of them partly, and the scores by URL."""
    _, best, _ = answer_query(snapshot, typed, 200)
    urls = snapshot.reader.urls(best.documents.tolist())
    return best.total, best.partial, dict(zip(urls, best.scores.tolist(), strict=True))


def changed(source: Memory, dice: random.Random) -> None:
    """Pages come, change and go; one word is on a page that comes late, goes, and comes back."""
    for number in dice.sample(range(60), 12):
        text = " ".join(SOME[int(len(SOME) * dice.random() ** 2)] for _ in range(dice.randint(2, 12)))
        source.put(page(f"http://a.example/{number}", text))
    for number in dice.sample(range(60), 4):
        source.remove(f"http://a.example/{number}")
    lonely = "http://a.example/lonely"
    source.put(page(lonely, "a lonely amber")) if dice.random() < 0.5 else source.remove(lonely)


@pytest.fixture
def commits(tmp_path: Path) -> Iterator[tuple[DirectorySnapshot, DirectorySnapshot]]:
    """After each commit: the index with what was kept before it, and a new one of the same pages."""
    source, dice, cache = Memory(), random.Random(4), IndexCache()
    follower = Follower(source, tmp_path / "followed")

    def each() -> Iterator[tuple[DirectorySnapshot, DirectorySnapshot]]:
        for number in range(COMMITS):
            changed(source, dice)
            follower.catch_up()
            Follower(source, tmp_path / str(number)).catch_up()
            warm, new = opened(tmp_path / "followed", cache), opened(tmp_path / str(number), IndexCache())
            with closing(warm), closing(new):
                yield warm, new

    return each()


@pytest.mark.slow
@pytest.mark.requirement(291)
def test_answers_are_those_of_a_new_index(
    commits: Iterator[tuple[DirectorySnapshot, DirectorySnapshot]],
) -> None:
    sizes, some = [], set[str]()
    for warm, new in commits:
        sizes.append(len(warm.reader.members))
        for typed in QUERIES:
            (total, partial, scores), expected = found(warm, typed), found(new, typed)
            assert (total, partial) == expected[:2], typed
            assert scores == pytest.approx(expected[2], rel=1e-4), typed
            some |= {typed} if total else set()
    assert max(sizes) > 1, "of several segments"
    assert sizes != sorted(sizes), "and some were merged"
    assert set(QUERIES) - some == {"nowhere"}
