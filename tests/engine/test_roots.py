"""Where the URLs came from at which a crawl begins, as it is kept and told."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from engine import roots
from engine.config import Root
from engine.explain import explain_url, explanation_lines, explanation_object
from engine.report.summary import census_lines, census_object
from engine.roots import Submitter, count_roots, find_root, save_seeds, save_submitted
from engine.store.page_store import Store
from engine.store.wanted import queue_url
from tests.crawling import HOST, Clock, Web, crawl_of, run

NEWS, MAIL, LINKED = f"{HOST}/news", f"{HOST}/mail", f"{HOST}/linked"
WEB: dict[str, int | list[str]] = {f"{HOST}/": [LINKED], NEWS: [f"{HOST}/"], MAIL: [], LINKED: []}
SEEDS = {
    f"{HOST}/": Root("crawl.toml"),
    NEWS: Root("seeds.txt", "what is \u202enew\x1b"),
    MAIL: Root("seeds.txt", "archives"),
}


def crawled(folder: Path, seeds: dict[str, Root]) -> None:
    clock = Clock(time.time())
    crawl = crawl_of(folder, clock, seeds=tuple(seeds), roots=tuple(seeds.values()), own=True)
    run(crawl, Web(WEB), clock)
    crawl.store.close()


def found(folder: Path, url: str) -> tuple[str, object]:
    """What `scrapy explain` says of how it was found, and what its JSON has."""
    with closing(Store(folder)) as store:
        one = explain_url(store.engine, folder, url, "")
    (line,) = (line for line in explanation_lines(one) if line.startswith("found "))
    return line.partition("depth ")[2], explanation_object(one)["root"]


@pytest.mark.requirement(4, 309)
def test_a_seed_keeps_its_source_and_label(tmp_path: Path) -> None:
    crawled(tmp_path, SEEDS)
    assert found(tmp_path, f"{HOST}/") == ("0, by crawl.toml", {"source": "crawl.toml", "label": ""})
    label = "what is \\u202enew\\x1b"
    assert found(tmp_path, NEWS) == (f"0, by seeds.txt ({label})", SEEDS[NEWS]._asdict()), "escaped"
    assert found(tmp_path, LINKED) == (f"1, on {HOST}/", None), "a link led to it"
    with closing(Store(tmp_path)) as store:
        census = census_object(store, tmp_path)
        assert census["roots"] == {"seeds.txt": 2, "crawl.toml": 1}
        assert "roots         seeds.txt 2, crawl.toml 1" in list(census_lines(census))


@pytest.mark.requirement(4)
def test_what_changes_is_kept_anew(tmp_path: Path) -> None:
    """A label, and a URL to which a link had led."""
    crawled(tmp_path, SEEDS)
    crawled(tmp_path, SEEDS | {MAIL: Root("seeds.txt", "mail"), LINKED: Root("more.txt", "found")})
    assert found(tmp_path, MAIL)[0] == "0, by seeds.txt (mail)"
    assert found(tmp_path, LINKED)[0] == "0, by more.txt (found)"


def test_the_first_of_two_that_name_a_seed_counts(tmp_path: Path) -> None:
    clock = Clock(time.time())
    crawl = crawl_of(tmp_path, clock, seeds=(NEWS, NEWS), roots=(Root("a.txt", "a"), Root("b.txt", "b")))
    crawl.store.close()
    assert found(tmp_path, NEWS)[0] == "0, by a.txt (a)"


@pytest.mark.requirement(4)
@pytest.mark.parametrize("submitter", Submitter)
def test_a_submission_keeps_by_whom(tmp_path: Path, submitter: Submitter) -> None:
    crawled(tmp_path, {f"{HOST}/": Root("crawl.toml")})
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        for url in (f"{HOST}/hidden", LINKED, f"{HOST}/"):
            save_submitted(connection, url, submitter)
            queue_url(connection, url, time.time())
        assert find_root(connection, LINKED) is None, "a link led to it before"
        assert find_root(connection, f"{HOST}/") == Root("crawl.toml")
    assert found(tmp_path, f"{HOST}/hidden")[0] == f"0, by {submitter}"


def test_few_sources_are_counted_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "MAX_SOURCES", 1)
    crawled(tmp_path, SEEDS)
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        save_seeds(connection, {f"http://never{number}.example/": Root("gone.txt") for number in range(9)})
        assert count_roots(connection) == {"seeds.txt": 2}, "those that the database has"
        save_seeds(connection, {})
