"""Measures nDCG@10 without each ranking signal in turn, on judged collections and a real site."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import judged_site
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.sites import Site
from engine.generations import Generation
from engine.ranking import FieldRanking, Ranking
from engine.relevance.collection import Collection, load_collection
from engine.relevance.evaluation import index_collection, measure_collection

COLLECTIONS = ("pydocs", "cacm", "cranfield")
LINKED = "pydocs"  # of this one also without its links
ALL = "all signals"
_OFF = FieldRanking(0.0, 0.5)
_ON = Ranking()

SIGNALS = {
    **{
        name: replace(_ON, **{name: _OFF})  # type: ignore[arg-type]
        for name in ("title", "subject", "headings", "anchor", "path", "description", "keywords", "rest")
    },
    "body length": replace(_ON, body=FieldRanking(1.0, 0.0)),
    "title coverage": replace(_ON, title_coverage=0.0),
    "heading coverage": replace(_ON, heading_coverage=0.0),
    "proximity": replace(_ON, proximity=0.0),
    "exact form": replace(_ON, exact_form=0.0),
    "prefix": replace(_ON, prefix=0.0),
    "variants": replace(_ON, variant=0.0),
    "inlinks": replace(_ON, inlink_weight=0.0),
    "partial matches": replace(_ON, partial_matches=0),
    "stop words": replace(_ON, stopword=1.0),
}


def rows(folder: Path, site: Site) -> Iterator[Row]:
    """For each set a row with all signals, then one for each that is off: theirs beside all."""
    with ExitStack() as stack:
        for name, collection in _collections(folder):
            report_progress(f"indexing {name}")
            where = Path(stack.enter_context(TemporaryDirectory()))
            generation = index_collection(collection, where, lambda done, total: None)
            yield from _rows(name, partial(_ndcg, collection, generation))
        queries = judged_site.read_judgments(folder)
        data_dir, begin = stack.enter_context(judged_site.crawl_site(site))

        def of_site(ranking: Ranking) -> float:
            with judged_site.open_snapshot(data_dir, ranking) as snapshot:
                return judged_site.mean_ndcg(
                    queries, begin, lambda typed: judged_site.find_urls(snapshot, typed)
                )

        yield from _rows("python311", of_site)


def _collections(folder: Path) -> Iterator[tuple[str, Collection]]:
    for name in COLLECTIONS:
        collection = load_collection(folder / name)
        yield name, collection
        if name == LINKED:
            alone = {key: replace(page, links=()) for key, page in collection.pages.items()}
            yield f"{name} without links", replace(collection, pages=alone)


def _ndcg(collection: Collection, generation: Generation, ranking: Ranking) -> float:
    return measure_collection(collection, generation, ranking).ndcg


def _rows(name: str, reached: Callable[[Ranking], float]) -> Iterator[Row]:
    whole = reached(_ON)
    yield Row(f"ablation.{name}", whole)
    for signal, ranking in SIGNALS.items():
        yield rate_row(f"ablation.{name} without {signal}", reached(ranking), ALL, whole)
