"""A rebuild reads all links, then the texts of samples, then each text: it ends where following ends."""

import gc
from itertools import chain, pairwise
from pathlib import Path

import pytest

from engine.index.indexing import batches
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import COLLECTED_AFTER, rebuild_index
from engine.model.page import Flag, Link, Page, Section
from engine.store.change import Change
from tests.engine.index.content import content
from tests.engine.index.source import Memory, page

HOSTS = ("http://large.example", "http://small.example", "http://tiny.example")
PAGES = (60, 12, 3)


def sites() -> list[Page]:
    """Three sites, each with a menu on its pages: larger than a sample, smaller, and too small to learn."""
    urls = [[f"{host}/{number}" for number in range(count)] for host, count in zip(HOSTS, PAGES, strict=True)]
    return [
        Page(
            url,
            title=f"Page {place}",
            sections=(
                Section("", "", f"Menu of {of_host[0]}\nown words {place}"),
                Section("See also", "", url),
            ),
            links=[Link(of_host[place % 7], "back"), Link(urls[place % 3][0], f"to {place % 5}")],
            rest="Imprint",
            flag=Flag.DENIED if place == 5 else None,
        )
        for of_host in urls
        for place, url in enumerate(of_host)
    ]


@pytest.mark.requirement(300, 308)
@pytest.mark.parametrize(
    ("many", "documents", "why"),
    [
        (1_000, 77, "batch by batch: two are written again, as their words came later"),
        (70, 75, "links and templates go ahead of documents, each of which is written once"),
    ],
)
def test_a_rebuild_ends_where_following_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int, documents: int, why: str
) -> None:
    """Links, words of links and templates, whatever came in which order."""
    monkeypatch.setattr("engine.index.indexing.follow.AHEAD_CHANGES", many)
    monkeypatch.setattr("engine.linkgraph.templates.SAMPLE", 20)
    monkeypatch.setattr("engine.index.indexing.batches.BATCH_DOCUMENTS", 20)
    monkeypatch.setattr("engine.index.indexing.batches.LINKED_DOCUMENTS", 25)
    source = Memory(*sites())
    source.remove(f"{HOSTS[0]}/3")
    source.stand(f"{HOSTS[1]}/4", f"{HOSTS[1]}/2")
    assert Follower(source, tmp_path).catch_up() == documents, why
    followed = content(tmp_path)
    rebuild_index(source, tmp_path)
    assert content(tmp_path) == followed
    assert followed[f"{HOSTS[0]}/1"]["kept"][0] > 0, "the menu"
    assert "kept" not in followed[f"{HOSTS[2]}/1"], "three pages have no template"


@pytest.mark.folder
def test_only_texts_of_samples_are_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host has 20 pages of its sample here; of one with fewer than 8 pages nothing is learned."""
    monkeypatch.setattr("engine.linkgraph.templates.SAMPLE", 20)
    read: list[str] = []
    unpacked = Change.page.func  # type: ignore[attr-defined]

    def counting(change: Change) -> Page | None:
        read.append(change.url)
        page: Page | None = unpacked(change)
        return page

    monkeypatch.setattr(Change, "page", property(counting))
    source = Memory(*sites())
    reads: list[int] = []
    monkeypatch.setattr("engine.index.indexing.writer.Writer.fill", lambda *_: reads.append(len(set(read))))
    with pytest.raises(Exception, match="0 of 75 pages"):
        rebuild_index(source, tmp_path)
    assert reads[0] == 20 + 12


def test_garbage_is_collected_as_before_when_it_is_done(tmp_path: Path) -> None:
    before, meanwhile = gc.get_threshold(), list[int]()
    rebuild_index(Memory(*sites()), tmp_path, lambda done, total: meanwhile.append(gc.get_threshold()[0]))
    assert set(meanwhile) == {COLLECTED_AFTER}
    assert gc.get_threshold() == before


def test_links_are_put_together_and_none_is_lost() -> None:
    source = Memory(*sites())
    changes = list(batches.read_batches(source, 0, source.last_change()))
    assert [*chain(*batches.group_batches(changes, 30))] == [*chain(*changes)]


@pytest.mark.parametrize(
    ("count", "apart", "why"),
    [
        (0, 0, "nothing is there"),
        (30, 1, "each of a few"),
        (1_600, 1, "as many as are asked for: still each"),
        (4_000, 61, "some from everywhere: a few very long texts decide how long they are on average"),
    ],
)
def test_samples_are_from_everywhere(
    monkeypatch: pytest.MonkeyPatch, count: int, apart: int, why: str
) -> None:
    """None twice, none that came later."""
    monkeypatch.setattr(batches, "SAMPLES", 40)
    monkeypatch.setattr(batches, "SAMPLED", 40)
    source = Memory(*(page(f"http://h.example/{number}") for number in range(count)))
    last = source.last_change()
    source.put(page("http://h.example/later"))
    taken = [change.seq for change in chain(*batches.sample_batches(source, last))]
    assert len(taken) == len(set(taken)) == min(count, 1_600), why
    assert max((after - before for before, after in pairwise([0, *taken, last])), default=0) <= apart, why
