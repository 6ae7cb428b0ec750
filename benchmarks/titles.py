"""Measures whether a page comes first for its own title, on real sites, beside Tantivy and Xapian.

A query is the title of a page without the site's name, where no other page of the site has the same.
Tantivy weighs titles three times; its parser and Xapian's get the words of the title alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.judged_site import crawl_site, find_urls, open_snapshot, split_words
from benchmarks.peers.contest import pages
from benchmarks.sites import Site
from engine.model.page import Page
from engine.ranking import Ranking
from engine.store.page_store import Store

PACKAGES = ("git-doc", "apache2-doc", "python3.11-doc", "debian-handbook")
NAME = "titles"
DEPTH = 20  # hits in which the page is looked for; behind them it counts as not found
NAMED_BY = 0.3  # of a site's titles that end or begin with the same: that is the site's name
TITLE_BOOST = 3.0  # of Tantivy's titles

_SIGN = re.compile(r"(\s+[-–—|:·»«]+\s+|\s*::\s*|:\s+)")  # between a title and the site's name

Find = Callable[[str], Sequence[str]]
"""The URLs of the first DEPTH hits for what was typed."""


def rows(sites: Sequence[Site]) -> Iterator[Row]:
    """For each site the share of titles whose page comes first, and the mean reciprocal rank."""
    for site in sites:
        with crawl_site(site) as (data_dir, _), closing(Store(data_dir)) as store:
            titles = own_titles(pages(store))
            report_progress(f"{len(titles):,} titles of {site.package}")
            with open_snapshot(data_dir, Ranking()) as snapshot:
                ours = _measure(titles, lambda typed: find_urls(snapshot, typed, DEPTH))
            peers = {"tantivy": _measure(titles, _tantivy(store))}
            if find_spec("xapian"):
                peers["xapian"] = _measure(titles, _xapian(store, data_dir / "xapian"))
        for peer, theirs in peers.items():
            for what, one, other in zip(("first", "mrr"), ours, theirs, strict=True):
                yield rate_row(f"{NAME}.{site.package}.{what}", one, peer, other)


def own_titles(found: Iterator[Page]) -> dict[str, str]:
    """The titles, by URL, that no other page has, without the site's name."""
    titles = {page.url: page.title for page in found}
    ends: Counter[str] = Counter()
    for title in titles.values():
        parts = _SIGN.split(title)
        ends.update("".join(parts[at:]) for at in range(1, len(parts), 2))
        ends.update("".join(parts[: at + 1]) for at in range(1, len(parts), 2))
    names = [end for end, count in ends.items() if count >= NAMED_BY * len(titles)]
    names.sort(key=len, reverse=True)
    own = {url: _strip_name(title, names) for url, title in titles.items()}
    counts = Counter(map(str.casefold, own.values()))
    return {url: title for url, title in own.items() if title and counts[title.casefold()] == 1}


def _strip_name(title: str, names: Sequence[str]) -> str:
    for name in names:
        title = title.removesuffix(name).removeprefix(name)
    return title.strip()


def _measure(titles: Mapping[str, str], find: Find) -> tuple[float, float]:
    ranks = []
    for url, title in titles.items():
        urls = list(find(title))
        ranks.append(1 / (urls.index(url) + 1) if url in urls else 0.0)
    return sum(rank == 1 for rank in ranks) / len(ranks), sum(ranks) / len(ranks)


def _tantivy(store: Store) -> Find:
    import tantivy

    schema = tantivy.SchemaBuilder().add_text_field("url", stored=True, tokenizer_name="raw")
    for field in ("title", "body"):
        schema = schema.add_text_field(field, tokenizer_name="en_stem")
    index = tantivy.Index(schema.build())
    writer = index.writer(num_threads=1)
    for page in pages(store):
        writer.add_document(tantivy.Document(url=page.url, title=page.title, body=page.text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def find(typed: str) -> list[str]:
        query: Any = index.parse_query(
            " ".join(split_words(typed)), ["title", "body"], field_boosts={"title": TITLE_BOOST}
        )
        return [searcher.doc(address)["url"][0] for _, address in searcher.search(query, DEPTH).hits]

    return find


def _xapian(store: Store, folder: Path) -> Find:
    from benchmarks.peers import xapian_index

    xapian_index.build(pages(store), folder)
    index = xapian_index.XapianIndex(folder)
    return lambda typed: index.urls(" ".join(split_words(typed)), DEPTH)
