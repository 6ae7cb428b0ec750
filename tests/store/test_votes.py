"""Votes of many URLs at once: the same as the link graph gives one by one."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.page import Link
from engine.store import votes as votes_module
from engine.store.links import LinkGraph
from engine.store.votes import votes

HALF = 8.0
URLS = [f"http://site{number % 4}.example/{number}" for number in range(12)]

url = st.sampled_from(URLS)
outlinks = st.lists(st.tuples(url, st.lists(url, max_size=6)), max_size=20)
aliases = st.lists(st.tuples(url, url), max_size=6)


@pytest.mark.parametrize(("chunk", "rows"), [(10_000, 100_000), (5, 3)], ids=["at once", "bit by bit"])
@settings(max_examples=25)
@given(
    linked=outlinks,
    stands=aliases,
    order=st.permutations([*URLS, "http://nobody.example/", "http://ż.example/"]),
)
def test_they_are_those_of_each_url(
    chunk: int,
    rows: int,
    linked: list[tuple[str, list[str]]],
    stands: list[tuple[str, str]],
    order: list[str],
) -> None:
    """Requirements 300, 301."""
    with TemporaryDirectory() as folder, closing(LinkGraph(Path(folder) / "links.db")) as graph:
        graph.replace([(source, [Link(target, "") for target in targets]) for source, targets in linked])
        graph.stand([(alias, target) for alias, target in stands if alias != target])
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(votes_module, "CHUNK", chunk)
            patched.setattr(votes_module, "ROWS", rows)
            found = votes(graph, order, HALF)
        inlinks = graph.inlinks(order, HALF)
        expected = [inlinks[one].votes if one in inlinks else 0.0 for one in order]
    assert found.tolist() == pytest.approx(expected, abs=1e-6)


def test_of_no_urls(tmp_path: Path) -> None:
    with closing(LinkGraph(tmp_path / "links.db")) as graph:
        graph.replace([(URLS[0], [Link(URLS[1], "")])])
        assert len(votes(graph, [], HALF)) == 0


def test_it_is_one_moment_while_the_graph_is_written(tmp_path: Path) -> None:
    with (
        closing(LinkGraph(tmp_path / "links.db")) as graph,
        closing(LinkGraph(tmp_path / "links.db")) as writer,
    ):
        writer.replace([(URLS[0], [Link(URLS[1], "")])])
        before = votes(graph, URLS, HALF).tolist()
        with graph.moment() as connection:
            connection.execute("SELECT count(*) FROM votes").fetchone()
            writer.replace([(URLS[2], [Link(URLS[1], "")])])
            assert graph.inlinks([URLS[1]], HALF)[URLS[1]].votes == pytest.approx(before[1])
        assert votes(graph, URLS, HALF)[1] > before[1]
