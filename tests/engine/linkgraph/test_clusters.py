"""Copies as the index knows them."""

from contextlib import closing

import pytest

from engine.linkgraph import GraphLocation, open_clusters
from engine.linkgraph.clusters import MOST_NAMED, Cluster


@pytest.mark.requirement(59)
def test_all_copies_are_counted_and_the_first_are_named(location: GraphLocation) -> None:
    many = [f"http://h.example/{n:02}" for n in range(MOST_NAMED + 5)]
    with closing(open_clusters(location)) as clusters:
        clusters.update([(url, "http://h.example/") for url in reversed(many)])
        clusters.update([("http://a.example/x", "http://a.example/"), ("http://b.example/", "")])
        assert clusters.copies_of(["http://h.example/", "http://a.example/", "http://b.example/"]) == {
            "http://h.example/": Cluster(len(many), tuple(many[:MOST_NAMED])),
            "http://a.example/": Cluster(1, ("http://a.example/x",)),
        }
        clusters.update([("http://a.example/x", "http://b.example/")])
        assert clusters.copies_of(["http://a.example/"]) == {}, "it stands with another now"
        assert list(clusters.copies_of(["http://b.example/"])) == ["http://b.example/"]
