"""The weights of inlinks alone: made anew in the index that there is."""

from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.index.indexing.follow import Follower
from engine.linkgraph import open_link_graph
from engine.model.page import Link, Links
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.running import scrapy

pytestmark = pytest.mark.folder
A, B = "http://a.example/", "http://b.example/"
LINKING = [f"http://{number}.example/" for number in range(5)]


def found(data_dir: Path) -> list[str]:
    with closing(SearchService(data_dir)) as search:
        return [hit.url for hit in search.search("amber").hits]


@pytest.mark.requirement(300)
def test_they_follow_the_link_graph(tmp_path: Path) -> None:
    linking = [page(url, links=[Link(A, "")]) for url in LINKING]
    Follower(Memory(page(A, "amber"), page(B, "amber"), *linking), tmp_path).catch_up()
    assert found(tmp_path) == [A, B]
    generation = generations.current_generation(tmp_path)
    assert generation
    with closing(open_link_graph(generation.links)) as graph:
        graph.replace([(url, Links.of([Link(B, "")])) for url in LINKING])
    assert found(tmp_path) == [A, B], "a column of the index says who links where"
    assert scrapy(tmp_path, "rebuild", "--weights").stdout == "7 documents have the weights of now\n"
    assert found(tmp_path) == [B, A]
    assert generations.current_generation(tmp_path) == generation


@pytest.mark.requirement(301, 305)
def test_they_are_counted_with_the_operators_numbers(tmp_path: Path) -> None:
    """A page of another domain against six of its own."""
    own = [page(f"{B}{number}", links=[Link(B, "")]) for number in range(6)]
    linking = [*own, page("http://c.example/", links=[Link(A, "")])]
    Follower(Memory(page(A, "amber"), page(B, "amber"), *linking), tmp_path).catch_up()
    assert found(tmp_path) == [A, B]
    (tmp_path / "crawl.toml").write_text("[ranking]\nother_domain_pivot = 8\n", encoding="utf-8")
    assert found(tmp_path) == [A, B], "they are in the index"
    scrapy(tmp_path, "rebuild", "--weights")
    assert found(tmp_path) == [B, A]
    (tmp_path / "crawl.toml").write_text("[ranking]\nsame_domain_pivot = 100\n", encoding="utf-8")
    scrapy(tmp_path, "rebuild", "--weights")
    assert found(tmp_path) == [A, B]


def test_without_an_index(tmp_path: Path) -> None:
    assert "no index" in scrapy(tmp_path, "rebuild", "--weights", code=2).stderr
