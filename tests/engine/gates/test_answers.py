"""The operator's judged queries are answered as people get them: with his ranking and his synonyms."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.config import RebuildLimits
from engine.gates.answers import read_answer_test
from engine.gates.gates import RebuildGates
from engine.index.indexing.rebuild import rebuild_index
from engine.index.reader.cache import IndexCache
from engine.ranking import FieldRanking, Ranking
from engine.search.opening import open_snapshot
from tests.engine.index.source import Memory, page

TRUCK, TITLED = "http://a.example/truck", "http://b.example/titled"
PAGES = [
    page(TRUCK, "A truck carries what is heavy. This truck is red, and that truck is blue."),
    page(TITLED, "It carries nothing.", title="Truck"),
]
_OFF = FieldRanking(0.0, 0.5)
NO_TITLES = replace(Ranking(), title=_OFF, subject=_OFF, title_coverage=0.0)

ASKED = [
    ("truck", TITLED, "", Ranking(), 1.0, "as usual: the title tells most"),
    ("truck", TRUCK, "", NO_TITLES, 1.0, "requirement 305: titles count nothing here"),
    ("lorry", TITLED, "", Ranking(), 0.0, "a word that no page has"),
    ("lorry", TITLED, "lorry\ttruck\n", Ranking(), 1.0, "the operator says that it is the same"),
    ("lorry", TRUCK, "lorry\ttruck\n", NO_TITLES, 1.0, "both"),
]


@pytest.mark.requirement(305)
@pytest.mark.parametrize(("query", "url", "synonyms", "ranking", "quality", "why"), ASKED)
def test_judged_queries_are_answered_as_for_people(
    tmp_path: Path, query: str, url: str, synonyms: str, ranking: Ranking, quality: float, why: str
) -> None:
    (tmp_path / "queries.tsv").write_text(f"{query}\t{url}\n", encoding="utf-8")
    (tmp_path / "synonyms.tsv").write_text(synonyms, encoding="utf-8")
    asked = read_answer_test(tmp_path, ranking)
    generation = rebuild_index(Memory(*PAGES), tmp_path)
    with closing(open_snapshot(generation, IndexCache(), asked.ranking)) as snapshot:
        assert asked.mean_ndcg(snapshot) == quality, why


def test_the_gates_ask_so(tmp_path: Path) -> None:
    """Without titles the old index answered as judged; with the usual ranking it would not have."""
    (tmp_path / "queries.tsv").write_text(f"truck\t{TRUCK}\n", encoding="utf-8")
    old, new = (
        rebuild_index(Memory(*PAGES), tmp_path / "old"),
        rebuild_index(Memory(PAGES[1]), tmp_path / "new"),
    )
    gates = RebuildGates(
        sa.create_engine("sqlite://"), RebuildLimits(), read_answer_test(tmp_path, NO_TITLES), lambda: 0.0
    )
    (reason,) = gates.check_answers(old, new)
    assert "falls from 1.000 to 0.000" in reason
